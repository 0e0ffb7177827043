import {
  database,
  headers,
  hostNames,
  keys,
  nameServers,
  oneOf,
  optional,
  type Setting,
  secretText,
  share,
  text,
  trustedProxies,
  url,
  whole,
  yesOrNo,
} from './setting-kinds.ts'

/** Each is read from the environment, or from a flag: `RATE_LIMIT` is `--rate-limit`. */
export const SETTINGS = {
  PORT: whole('The port to listen on; 0 chooses a free one.', 8080, 0, 65535),
  HOST: text('The address to listen on.', '127.0.0.1'),
  PUBLIC_URL: optional(url('The public address of the service; used in links.', ['http:', 'https:'])),
  METRICS_PORT: optional(
    whole('A port of its own for `/metrics`, which the public port then lacks; 0 chooses a free one.', 0, 0, 65535),
  ),
  METRICS_PUBLIC: yesOrNo(
    'Whether `/metrics` on the public port needs no key. Otherwise it needs a secret key of an admin, with the scope `read`.',
  ),
  METRICS_HOST: text('The address of `METRICS_PORT`.', '127.0.0.1'),
  PURGE_URL: optional(
    url('The address that is told which answers caches must drop after a correction, a retraction or a redaction.', [
      'http:',
      'https:',
    ]),
  ),
  PURGE_HEADER: optional(
    secretText(
      'A header for `PURGE_URL` that proves who asks.',
      /^[\w-]+: ?\S[\x20-\x7e]*$/,
      'a header such as Authorization: Bearer 8c2f…',
    ),
  ),
  DATABASE_URL: database(
    'The database. SQLite for one node, PostgreSQL for several; postgres://…@one,two/… also names a standby.',
    'sqlite:data/incident-feed.db',
  ),
  DATABASE_CONNECTIONS: optional(
    whole(
      'Connections to PostgreSQL that the requests of this node share; further requests wait for one, up to five seconds. Three more follow the log and hold leases, and one listens. Without it, four for each core of this machine, 4 to 32.',
      8,
      1,
      1000,
    ),
  ),
  DATABASE_READ_URL: optional(
    secretText(
      'Standbys of `DATABASE_URL` (postgres://…@two,three/…), from which the node loads its archive and follows the log; while none of them answers, or they are too far behind, it reads the primary.',
      /^postgres(ql)?:\/\/./,
      'postgres://…',
    ),
  ),
  DATABASE_READ_URL_FILE: optional(text('A file with `DATABASE_READ_URL`.')),
  DATABASE_URL_FILE: optional(text('A file with `DATABASE_URL`, which may have a password.')),
  CACHE_DIR: optional(
    text(
      'A folder, for one node alone, in which it saves its archive and its compiled code for its next start; `none` saves nothing. Without it, SQLite has `<database>.snapshot` and `<database>.compiled` beside the database, and PostgreSQL nothing.',
    ),
  ),
  DOCUMENT_MEMORY_MB: whole(
    'Megabytes of documents that a node keeps in memory, the newest incidents first (a million bytes are about 800 of them); it reads older ones from the files of its saved archive. A node that saves nothing keeps all in memory.',
    128,
    0,
    1_000_000,
  ),
  LGA_BOUNDARIES: optional(
    text("A GeoJSON file of the LGAs' boundaries. With it, LGAs are exact; without it, they are estimated."),
  ),
  MAP_STYLE_URL: optional(
    url('A MapLibre style drawn beneath the public map; everything it loads must come from the same host.', [
      'http:',
      'https:',
    ]),
  ),
  MAP_ROADS: optional(
    text('A GeoJSON file of roads, drawn on the public map by their class. Without it, the map has no roads.'),
  ),
  OPERATOR_KEY: optional(
    text(
      'An admin key, added to the database at the start; replacing it revokes the one before. `incident-feed keys generate` generates one.',
    ),
  ),
  OPERATOR_KEY_FILE: optional(text('A file with `OPERATOR_KEY`.')),
  SECRETS_KEY: optional(
    keys(
      'Encrypts the webhook secrets in the database; after a comma, older keys that still decrypt. Without it, SQLite has a key in a file beside the database; PostgreSQL needs it.',
    ),
  ),
  SECRETS_KEY_FILE: optional(text('A file with `SECRETS_KEY`.')),
  SIGNUP: oneOf(
    'Whether anyone can get a key: at once, by a link sent by e-mail, or not at all.',
    ['open', 'email', 'closed'],
    'open',
  ),
  SIGNUPS_PER_HOUR: whole('Keys that one client address may request per hour.', 10, 1, 1_000_000),
  SMTP_URL: optional(
    url('The mail server, for `SIGNUP=email`, for links to a new key, for notices, and for watches by e-mail.', [
      'smtp:',
      'smtps:',
    ]),
  ),
  SMTP_URL_FILE: optional(text('A file with `SMTP_URL`, which may have a password.')),
  MAILS_PER_RECIPIENT: whole(
    'Sign-up mails (`SIGNUP=email`) that one mailbox is sent per day (UTC); of sign-in mails, as many again.',
    5,
    1,
    1_000_000,
  ),
  MAILS_PER_CLIENT: whole(
    'Mails of one kind (sign-up, sign-in, questions about alerts) that one client address may request per day (UTC).',
    20,
    1,
    1_000_000,
  ),
  SIGN_IN_MAILS_PER_RECIPIENT: optional(
    whole('Sign-in mails that one mailbox is sent per day (UTC), if not as MAILS_PER_RECIPIENT says.', 5, 1, 1_000_000),
  ),
  SIGN_IN_MAILS_PER_CLIENT: optional(
    whole(
      'Sign-in mails that one client address may request per day (UTC), if not as MAILS_PER_CLIENT says.',
      20,
      1,
      1_000_000,
    ),
  ),
  ALERTS_PER_HOUR: whole(
    'Messages an hour, over all nodes, to people who asked for alerts without an account; severe incidents first, the others wait. 0 offers no alerts.',
    10_000,
    0,
    100_000_000,
  ),
  ALERTS_PER_RECIPIENT: whole('Alerts that one e-mail address or browser may have without an account.', 10, 1, 1000),
  ALERT_REQUESTS_PER_DAY: whole(
    'Requests for alerts a day (UTC) by mail or in a browser, of all clients together; MAILS_PER_CLIENT limits each client.',
    5000,
    1,
    100_000_000,
  ),
  MAIL_FROM: text('The sender of e-mails.', 'Incident Feed <no-reply@localhost>'),
  RATE_LIMIT: whole('Requests per minute for each account, over all its live keys.', 120, 1, 100_000_000),
  RATE_LIMIT_SESSION: whole(
    'Requests per minute for each account, over all browsers in which somebody has signed in.',
    1200,
    1,
    100_000_000,
  ),
  RATE_LIMIT_PUBLISHABLE: whole(
    'Requests per minute for each publishable key and client address.',
    600,
    1,
    100_000_000,
  ),
  RATE_LIMIT_ADDRESS: whole(
    'Requests per minute without a key, or with a wrong one, for each client address (IPv6: /64) and node.',
    1200,
    1,
    100_000_000,
  ),
  RATE_LIMIT_PUBLISHABLE_TOTAL: whole(
    'Requests per minute with all publishable keys of an account, from all client addresses.',
    60_000,
    1,
    100_000_000,
  ),
  KEYS_PER_ACCOUNT: whole('Valid keys per account.', 20, 1, 1_000_000),
  WATCHES_PER_ACCOUNT: whole('Watches per account.', 100, 1, 10_000_000),
  AREAS_PER_ACCOUNT: whole('Saved areas per account.', 100, 1, 100_000),
  SITE_LISTS_PER_ACCOUNT: whole(
    'Saved lists of sites per account; a list that watches use takes up to 150 KB of memory.',
    3,
    1,
    1000,
  ),
  WATCH_TESTS_PER_MINUTE: whole('Tests of watches per minute and account.', 10, 1, 1_000_000),
  PREVIEWS_PER_MINUTE: whole('Previews of filters per minute and account.', 30, 1, 1_000_000),
  SITE_UPLOADS_PER_MINUTE: whole(
    'Lists of sites that are saved or replaced per minute and account; one of 10,000 sites takes a tenth of a second of a processor.',
    10,
    1,
    1_000_000,
  ),
  TIPS_PER_HOUR: whole(
    'Tips and additions per hour for each client address (IPv6: /64) and node; a third of them without proof of work.',
    30,
    3,
    1_000_000,
  ),
  TIPS_PER_HOUR_TOTAL: whole(
    'Tips and additions per hour from all client addresses; a third of them without proof of work.',
    600,
    3,
    100_000_000,
  ),
  TIP_PROOF_BITS: whole(
    'Zero bits in each of the eight puzzles of a proof of work: one more doubles the work. 14 takes a cheap phone a second or two.',
    14,
    1,
    24,
  ),
  TIP_CONTACT_DAYS: whole(
    'Days for which the contact and the reference number of a tip are kept; then both are deleted.',
    90,
    1,
    3650,
  ),
  AUDIT_DAYS: whole(
    'Days for which the audit keeps what people did beside the steps of incidents; 0 keeps it for ever. Steps are never deleted.',
    1095,
    0,
    36500,
  ),
  USAGE_DAYS: whole(
    'Days for which the requests of each key are counted by day; the last day on which a key was used is kept with it.',
    400,
    31,
    36500,
  ),
  DELIVERY_LOG_DAYS: whole(
    'Days for which finished deliveries can be read and sent again. Fewer than 30 would send again what `recover` looks for.',
    30,
    30,
    3650,
  ),
  WEBHOOK_ALLOW_PRIVATE: yesOrNo(
    'Whether endpoints may use http and private networks; for development, or if all users are trusted.',
  ),
  CHANNEL_HOSTS: optional(
    hostNames(
      'Further hosts that the addresses of Slack, Discord and Teams watches may have, such as a Mattermost that takes messages for Slack; and push services other than those of the makers of browsers, for alerts without an account.',
    ),
  ),
  TELEGRAM_BOT_TOKEN: optional(
    secretText(
      'The token of the bot that writes messages of Telegram watches; @BotFather gives it. Without it, there are none.',
      /^\d{3,20}:[\w-]{20,100}$/,
      'a token such as 123456789:AAF…',
    ),
  ),
  TELEGRAM_API_URL: {
    ...url('The address of the Bot API, if you run a server of your own for it.', ['http:', 'https:']),
    fallback: 'https://api.telegram.org',
  },
  ADVICE_FILE: optional(
    text(
      'A JSON file with what people should do, by type of incident: `{"kidnapping": "Stay off the road until …"}`. Messages for people carry it.',
    ),
  ),
  DNS_SERVERS: optional(nameServers("The name servers for the endpoints' hosts, instead of the system's.")),
  WEBHOOK_CONCURRENCY: whole(
    'Concurrent messages to endpoints that answer in time; one account uses up to three quarters.',
    256,
    1,
    10_000,
  ),
  WEBHOOK_CONCURRENCY_PER_HOST: whole(
    'Concurrent messages to one host that are answered in time; one account uses up to three quarters.',
    64,
    1,
    10_000,
  ),
  CONNECTIONS: whole('Open connections per node, streams included.', 15_000, 10, 1_000_000),
  CONNECTIONS_PER_ADDRESS: whole(
    'Open connections per node and address (IPv6: /64) that connects; a trusted proxy is exempt.',
    500,
    1,
    1_000_000,
  ),
  STREAMS: whole('Open streams per node.', 10_000, 1, 1_000_000),
  STREAMS_PER_ACCOUNT: whole(
    'Open streams per node and account; for a publishable key, per client address.',
    10,
    1,
    1_000_000,
  ),
  TRUST_PROXY: trustedProxies(
    'The proxies before the service, whose `X-Forwarded-For` is believed; `X-Forwarded-Host` and `X-Forwarded-Proto` never are, which `PUBLIC_URL` says. A number is only safe if no client can connect except through them.',
  ),
  DRAIN_SECONDS: whole(
    'Seconds that a node goes on serving after SIGTERM, while `/readyz` answers 503 so that load balancers turn to others.',
    5,
    0,
    3600,
  ),
  READY_MAX_BEHIND: whole(
    'Seconds since a node was last in step with the log, above which `/readyz` answers 503.',
    30,
    1,
    1_000_000_000,
  ),
  LOG_LEVEL: oneOf(
    'The log level; `debug` logs every request, whatever `LOG_REQUESTS` says.',
    ['fatal', 'error', 'warn', 'info', 'debug', 'silent'],
    'info',
  ),
  LOG_REQUESTS: oneOf(
    'Which requests are logged, one line each: none, those answered with a status of 400 or above, or all.',
    ['none', 'errors', 'all'],
    'none',
  ),
  LOG_ADDRESSES: oneOf(
    "What such a line says about the client's address: a hash whose salt changes every day (UTC) and at every start, the address, or nothing.",
    ['hashed', 'full', 'none'],
    'hashed',
  ),
  LOG_FORMAT: oneOf(
    'The form of the log: one JSON object per line, lines for people, or (`auto`) lines on a terminal and JSON elsewhere.',
    ['auto', 'json', 'text'],
    'auto',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(
    url(
      'The address of an OpenTelemetry collector, which receives traces at `/v1/traces` (OTLP, JSON). Without it, nothing is traced.',
      ['http:', 'https:'],
    ),
  ),
  OTEL_EXPORTER_OTLP_HEADERS: optional(headers('Headers for the collector, such as a key.')),
  OTEL_SERVICE_NAME: text('The name of the service in traces.', 'incident-feed'),
  OTEL_TRACES_SAMPLER_ARG: share('The share of requests and deliveries that are traced.', 1),
  DEMO: yesOrNo('Runs with a temporary database of synthetic incidents, with new ones arriving.'),
} as const satisfies Record<string, Setting<unknown>>
export type SettingName = keyof typeof SETTINGS

export type Config = {
  readonly [Name in SettingName]: Exclude<ReturnType<(typeof SETTINGS)[Name]['read']>, undefined>
}
