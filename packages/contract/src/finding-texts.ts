/**
 * What can be wrong with an installation, each as a sentence, and its cure if something is to be done: the English of `sanad doctor`, of
 * the start's warnings and of the operator's page. `{{name}}` is a value of the finding. This file imports nothing.
 */
export const findingTexts = {
  'finding.node_ok': 'Node is {{version}}.',
  'finding.node_old': 'Node is {{version}}.',
  'cure.node_old': 'Install Node 24, or 22.19 or later.',
  'finding.memory_none': 'No limit of memory is set.',
  'finding.memory_ok': 'The limit of memory is {{limit}} MB.',
  'finding.memory_low': 'The limit of memory is {{limit}} MB.',
  'cure.memory_low': 'Raise it to {{good}} MB or more.',
  'finding.memory_too_low':
    'The limit of memory is {{limit}} MB. Below {{needed}} MB the service is killed under load.',
  'cure.memory_too_low': 'Raise it to {{good}} MB or more.',
  'finding.disk_unknown': 'The free disk space could not be read.',
  'cure.disk_unknown': 'Look at it yourself: df -h',
  'finding.disk_ok': '{{free}} MB are free at {{path}}.',
  'finding.disk_low': '{{free}} MB are free at {{path}}.',
  'cure.disk_low': 'Free some space: the database is there, and a full disk refuses every payment.',
  'finding.disk_full': '{{free}} MB are free at {{path}}.',
  'cure.disk_full': 'Free some space: the database is there, and a full disk refuses every payment.',
  'finding.disk_full_elsewhere': '{{free}} MB are free at {{path}}.',
  'cure.disk_full_elsewhere':
    'Free some space there. The disk of the database cannot be seen from here: watch it on its own machine.',
  'finding.master_key_environment': 'The master key is in the environment.',
  'finding.master_key_file': 'The master key is in {{file}}. No backup contains it: keep a copy elsewhere.',
  'finding.master_key_open': 'Other users of this machine may read {{file}}.',
  'cure.master_key_open': 'chmod 600 {{file}}',
  'finding.public_url_missing': 'PUBLIC_URL is not set.',
  'cure.public_url_missing': 'Set PUBLIC_URL to the address by which buyers and phones reach the service.',
  'finding.public_url_none': 'PUBLIC_URL is not set: the service is for this machine alone.',
  'finding.public_url_ok': 'Buyers and phones are sent to {{url}}.',
  'finding.public_url_plain': 'Buyers and phones are sent to {{url}}, which is not encrypted.',
  'cure.public_url_plain': 'Put a proxy with https in front, and set PUBLIC_URL to it.',
  'finding.public_url_answers': '{{url}} answers.',
  'finding.public_url_status': '{{url}}/healthz answers {{status}}, not 200.',
  'cure.public_url_status':
    'Look at the proxy, its certificate and the firewall. If only this machine cannot reach the address, try it from outside: curl -i',
  'finding.public_url_silent': '{{url}} does not answer from here ({{reason}}).',
  'cure.public_url_silent':
    'Look at the proxy, its certificate and the firewall. If only this machine cannot reach the address, try it from outside: curl -i',
  'finding.proxy_untrusted':
    'A proxy stands before the service (PUBLIC_URL is https), but SANAD_TRUST_PROXY is not set: all callers have one address, so one of them can use up the limits of all.',
  'cure.proxy_untrusted': 'Set SANAD_TRUST_PROXY=yes, or the number of proxies.',
  'finding.proxy_none': 'No proxy is trusted.',
  'finding.proxy_trusted': 'Trusted proxies: {{proxies}}.',
  'finding.proxy_trusted_open':
    'Trusted proxies: {{proxies}}. Nobody but the proxy may reach the port: who does chooses the address that counts.',
  'finding.mail_ok': 'Mail is set up.',
  'finding.mail_none': 'No mail is set up.',
  'finding.mail_missing': 'No mail is set up: invitations, notices and new passwords are not sent.',
  'cure.mail_missing': 'Set SANAD_SMTP_URL and SANAD_MAIL_FROM.',
  'finding.mail_server_ok': 'The mail server takes us.',
  'finding.mail_server_refuses': 'The mail server refuses us ({{reason}}).',
  'cure.mail_server_refuses': 'Check SANAD_SMTP_URL: host, port, user and password.',
  'finding.limits_on': 'Limits of calls are on.',
  'finding.limits_off_here': 'Limits of calls are off.',
  'finding.limits_off': 'Limits of calls are off (SANAD_LIMITS).',
  'cure.limits_off': 'Remove SANAD_LIMITS=off.',
  'finding.clock_ok': "The clock of this machine agrees with the database's.",
  'finding.clock_ahead': "Seconds that the clock of this machine is ahead of the database's: {{seconds}}.",
  'cure.clock_ahead': 'Set the clock, and keep it set (systemd-timesyncd, chrony).',
  'finding.clock_behind': "Seconds that the clock of this machine is behind the database's: {{seconds}}.",
  'cure.clock_behind': 'Set the clock, and keep it set (systemd-timesyncd, chrony).',
  'finding.node_clocks_ok': "The clocks of all nodes agree with the database's.",
  'finding.node_clocks_wrong': 'Nodes with a wrong clock: {{hosts}}.',
  'cure.node_clocks_wrong': 'Set the clock, and keep it set (systemd-timesyncd, chrony).',
  'finding.connections_ok':
    'Nodes: {{nodes}}. They may open {{may_open}} connections; PostgreSQL has {{free}} for them (max_connections {{max}}).',
  'finding.connections_tight':
    'Nodes: {{nodes}}. They may open {{may_open}} connections; PostgreSQL has {{free}} for them (max_connections {{max}}). One node more, as in a rolling restart, does not fit.',
  'cure.connections_tight': 'Set max_connections to {{advised}} in PostgreSQL.',
  'finding.connections_too_few':
    'Nodes: {{nodes}}. They may open {{may_open}} connections; PostgreSQL has {{free}} for them (max_connections {{max}}).',
  'cure.connections_too_few': 'Set max_connections to {{advised}} in PostgreSQL, or lower SANAD_DATABASE_CONNECTIONS.',
  'finding.backup_ok': 'Hours since the last backup: {{hours}}.',
  'finding.backup_none': 'No backup by sanad backup is recorded.',
  'cure.backup_none':
    'Make one every night: sanad backup --to DIR --keep 7d,4w,6m. If another program makes them, watch it there.',
  'finding.backup_old': 'Hours since the last backup: {{hours}}.',
  'cure.backup_old': 'Look why the nightly backup does not run; SANAD_BACKUP_MAX_AGE_H says how old it may be.',
  'finding.backup_broken': 'The last backup could not be restored as a test. Hours since it was made: {{hours}}.',
  'cure.backup_broken': 'Make another one, and run sanad backup verify on it.',
  'finding.replica_ok': 'The replica has all that the primary has.',
  'finding.replica_late':
    'The replica lacks more than {{most}} ms of what the primary has. The primary is read instead.',
  'cure.replica_late':
    'Look at the machine of the replica and at the network. SANAD_READ_MAX_LAG_MS says what may be lacking.',
  'finding.replica_unreached': 'The replica does not answer: {{reason}}. The primary is read instead.',
  'cure.replica_unreached': 'Start the replica, or correct DATABASE_READ_URL, or remove it.',
  'finding.replica_is_primary': 'DATABASE_READ_URL names a server that accepts writes. The primary is read instead.',
  'cure.replica_is_primary': 'Name a replica of this primary. If the replica was promoted, set it up again.',
  'finding.replica_foreign': 'DATABASE_READ_URL names a replica of another database. The primary is read instead.',
  'cure.replica_foreign': 'Name a replica of the server in DATABASE_URL, and the same database.',
  'finding.redis_ok': 'Limits are counted in Redis.',
  'finding.redis_single': 'One node counts the limits.',
  'finding.redis_parent': 'The parent of the processes counts the limits.',
  'finding.redis_missing': 'Nodes without REDIS_URL: {{nodes}}. Each counts limits alone.',
  'cure.redis_missing': 'Set REDIS_URL to a Redis or Valkey that all nodes reach.',
  'finding.phones_ok': 'Phones that report: {{on}}.',
  'finding.phones_silent': 'Silent phones: {{silent}} of {{on}}. Payments into their wallets are not seen.',
  'cure.phones_silent':
    'The dashboard names them (Phones). Look at the phone: power, network, battery settings of the app.',
  'finding.endpoints_ok': 'Every endpoint of webhooks is reached.',
  'finding.endpoints_unreached': 'Endpoints that are not reached: {{endpoints}}.',
  'cure.endpoints_unreached':
    'The dashboard names them (Webhooks) with the last answer. Their owner must mend them; Sanad goes on trying.',
  'finding.webhooks_ok': 'Webhooks are delivered.',
  'finding.webhooks_late': 'Seconds that the oldest webhook has waited: {{seconds}}.',
  'cure.webhooks_late': 'Look at the endpoints, and whether a node with SANAD_ROLE=work or all runs.',
  'finding.frozen_none': 'No account is frozen.',
  'finding.frozen_some': 'Frozen accounts: {{accounts}}. Their calls get 503, and nothing of them is written.',
  'cure.frozen_some': 'sanad account list shows them; sanad account thaw lets one go on.',
  'finding.forwarding_none': 'No calls are forwarded to another cell.',
  'finding.forwarding_some':
    'Accounts that moved to another cell: {{accounts}}. What still comes for them here is forwarded to it.',
  'cure.forwarding_some':
    'When sanad_forwarded_calls_total has stopped growing, sanad account move --end ends it for an account.',
  'finding.twin_wallets_none': 'No wallet was entered twice.',
  'finding.twin_wallets_some': 'Wallets that were entered twice: {{wallets}}. One payment can verify two intents.',
  'cure.twin_wallets_some': 'sanad wallet twins lists them; sanad wallet merge mends it.',
  'finding.unread_alerts_none': 'Every message of a wallet is read.',
  'finding.unread_alerts_some': 'Messages of wallets that cannot be read: {{messages}}.',
  'cure.unread_alerts_some':
    'A wallet may have changed its wording: the dashboard makes a template from such a message.',
} as const

/** Each finding has its own word, for programs and translations. */
export type FindingKind = keyof typeof findingTexts extends infer Key
  ? Key extends `finding.${infer Kind}`
    ? Kind
    : never
  : never

export const findingLevels = ['ok', 'warning', 'wrong'] as const
/** `wrong`: something does not work or will fail; `warning`: it works, and somebody should know. */
export type FindingLevel = (typeof findingLevels)[number]
