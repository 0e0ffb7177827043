import { generateKeyPairSync, hash, randomBytes, sign } from 'node:crypto'

const USER_PRESENT_AND_VERIFIED = 0x05
const HAS_CREDENTIAL = 0x40

/** An authenticator in software: makes and uses one passkey with ES256, as a device does. */
export class SoftwarePasskey {
  readonly id = randomBytes(16)
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  readonly #origin: string
  counter = 0

  constructor(origin: string) {
    this.#origin = origin
  }

  /** Answers options of a registration. `statement` is the attestation, in CBOR. */
  register(challenge: string, format = 'none', statement = Buffer.from([0xa0])) {
    const length = Buffer.from([0, this.id.length])
    const credential = Buffer.concat([Buffer.alloc(16), length, this.id, this.#coseKey()])
    const authData = Buffer.concat([this.#authData(USER_PRESENT_AND_VERIFIED | HAS_CREDENTIAL), credential])
    const attestation = Buffer.concat([
      Buffer.from([0xa3]),
      ...[text('fmt'), text(format), text('attStmt'), statement, text('authData'), bytes(authData)],
    ])
    return this.#answer({
      clientDataJSON: this.#clientData('webauthn.create', challenge).toString('base64url'),
      attestationObject: attestation.toString('base64url'),
    })
  }

  /** Answers options of signing in. */
  signIn(challenge: string, flags = USER_PRESENT_AND_VERIFIED) {
    const clientData = this.#clientData('webauthn.get', challenge)
    const authData = this.#authData(flags)
    const signed = Buffer.concat([authData, hash('sha256', clientData, 'buffer')])
    return this.#answer({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: sign('sha256', signed, this.#keys.privateKey).toString('base64url'),
    })
  }

  #answer(response: Record<string, string>) {
    const id = this.id.toString('base64url')
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response }
  }

  #clientData(type: string, challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.#origin, crossOrigin: false }))
  }

  #authData(flags: number): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(this.counter)
    const host = hash('sha256', new URL(this.#origin).hostname, 'buffer')
    return Buffer.concat([host, Buffer.from([flags]), counter])
  }

  #coseKey(): Buffer {
    const { x, y } = this.#keys.publicKey.export({ format: 'jwk' })
    const point = (coordinate: string) => bytes(Buffer.from(coordinate, 'base64url'))
    // { 1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y }
    const head = Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01])
    return Buffer.concat([head, Buffer.from([0x21]), point(x!), Buffer.from([0x22]), point(y!)])
  }
}

/** A short text in CBOR. */
export function text(value: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)])
}

/** A byte string in CBOR, with the shortest length. */
export function bytes(value: Buffer): Buffer {
  const { length } = value
  const head = length < 24 ? [0x40 + length] : length < 256 ? [0x58, length] : [0x59, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from(head), value])
}
