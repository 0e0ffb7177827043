import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ChannelMail } from '../../../src/deliveries/channels/email.ts'
import { MailServerDown } from '../../../src/deliveries/send/failure.ts'
import { smtpReply, smtpSender } from '../../../src/deliveries/send/mail-sender.ts'
import { parsedMail, startMailServer } from '../../support/mail.ts'

const mail = (to: string, more: Partial<ChannelMail> = {}): ChannelMail => ({
  to,
  subject: 'Kidnapping in Ìbàdàn\r\nBcc: eve@example.org',
  language: 'yo',
  text: 'What happened: ọ̀rọ̀.',
  html: '<p>What happened: ọ̀rọ̀.</p>',
  messageId: 'inc_1.wat_1@feed.example.org',
  parentId: null,
  unsubscribeUrl: `https://feed.example.org/alerts/${'x'.repeat(120)}`,
  ...more,
})

describe('sending a mail', () => {
  it('carries the headers of one-click unsubscribing and of threads', async () => {
    await using server = await startMailServer()
    using sender = smtpSender(server.url, 'Feed <feed@example.org>')
    const sent = await sender.sendMail(mail('ada@example.org', { parentId: 'inc_0.wat_1@feed.example.org' }), 7)
    assert.ok(sent.kind === 'answered' && sent.status === 250 && sent.startedAt === 7)
    const { headers, text, html } = parsedMail(server.raw[0]!)
    // RFC 8058: exactly these, on one unfolded line each.
    assert.equal(headers['list-unsubscribe'], `<https://feed.example.org/alerts/${'x'.repeat(120)}>`)
    assert.equal(headers['list-unsubscribe-post'], 'List-Unsubscribe=One-Click')
    assert.equal(headers['message-id'], '<inc_1.wat_1@feed.example.org>')
    assert.equal(headers.references, '<inc_0.wat_1@feed.example.org>')
    assert.equal(headers['in-reply-to'], '<inc_0.wat_1@feed.example.org>')
    assert.equal(headers['auto-submitted'], 'auto-generated')
    assert.equal(headers['content-language'], 'yo')
    assert.deepEqual([headers.to, headers.bcc], ['ada@example.org', undefined])
    assert.ok(text.includes('ọ̀rọ̀') && html.includes('<p>What happened: ọ̀rọ̀.</p>'))
  })

  it('tells a mailbox that does not exist from one that is busy', async () => {
    const answers: Record<string, string> = {
      'nobody@example.org': '550 5.1.1 no such user',
      'busy@example.org': '450 4.2.0 try later',
      'blocked@example.org': '554 5.7.1 looks like spam',
    }
    await using server = await startMailServer({ refuse: (to) => answers[to] ?? null })
    using sender = smtpSender(server.url, 'Feed <feed@example.org>')
    const statuses: number[] = []
    for (const to of Object.keys(answers)) {
      const sent = await sender.sendMail(mail(to), 0)
      if (sent.kind === 'answered') statuses.push(sent.status)
    }
    assert.deepEqual(statuses, [410, 450, 554])
    assert.equal((await sender.sendMail(mail('ada@example.org'), 0)).kind, 'answered')
  })

  it('keeps the address out of what the mail server answered, in whatever letters it repeats it', async () => {
    const refuse = (to: string) => `550 5.1.1 <${to}> or <${to.toLowerCase()}>: no such user`
    await using server = await startMailServer({ refuse })
    using sender = smtpSender(server.url, 'Feed <feed@example.org>')
    const sent = await sender.sendMail(mail('Ada.Obi@example.org'), 0)
    assert.ok(sent.kind === 'answered' && sent.body.endsWith('no such user'))
    assert.doesNotMatch(sent.body, /ada/i)
  })

  it('counts no attempt while the mail server is away, and does not ask it for each mail', async () => {
    let now = 0
    let url: string
    {
      await using server = await startMailServer()
      url = server.url
    }
    using sender = smtpSender(url, 'Feed <feed@example.org>', () => now)
    await assert.rejects(sender.sendMail(mail('ada@example.org'), 0), MailServerDown)
    await assert.rejects(sender.sendMail(mail('ada@example.org'), 0), /at the moment/)
    now = 19_999
    await assert.rejects(sender.sendMail(mail('ada@example.org'), 0), /at the moment/)
    now = 20_000
    await assert.rejects(sender.sendMail(mail('ada@example.org'), 0), /cannot be reached/)
  })

  it('does not take an address that no mail can have for a server that is away', async () => {
    await using server = await startMailServer()
    using sender = smtpSender(server.url, 'Feed <feed@example.org>')
    const sent = await sender.sendMail(mail('no address'), 0)
    assert.deepEqual([sent.kind, server.raw.length], ['failed', 0])
    assert.equal((await sender.sendMail(mail('ada@example.org'), 0)).kind, 'answered')
  })
})

it('takes a refusal of the service itself for no answer about the mail', () => {
  assert.equal(smtpReply({ response: '535 5.7.8 bad login', responseCode: 535, command: 'AUTH PLAIN' }), null)
  assert.equal(smtpReply({ response: '450 too much', responseCode: 450, command: 'MAIL FROM' }), null)
  assert.equal(smtpReply({ command: 'CONN' }), null)
})
