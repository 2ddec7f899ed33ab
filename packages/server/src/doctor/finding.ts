/** A finding: what was looked at, how bad it is, what it says and the cure. Pure. The sentences are in the contract, for the page too. */
import { type FindingKind, type FindingLevel, findingTexts } from '@sanad/contract/finding-texts'

/** What a person reads. Settings that cannot be read, and a database that does not answer, are findings of the command alone. */
export type Said = {
  /** What was looked at, a fixed word for programs. */
  readonly part: string
  readonly level: FindingLevel
  readonly says: string
  /** What to do; only if something is to be done. */
  readonly cure?: string
}

export type Values = Readonly<Record<string, string | number>>

export type Finding = Said & { readonly kind: FindingKind; readonly values: Values }

/** What each finding is about, and how bad it is. */
const judged: Readonly<Record<FindingKind, readonly [part: string, level: FindingLevel]>> = {
  node_ok: ['node', 'ok'],
  node_old: ['node', 'wrong'],
  memory_none: ['memory', 'ok'],
  memory_ok: ['memory', 'ok'],
  memory_low: ['memory', 'warning'],
  memory_too_low: ['memory', 'wrong'],
  disk_unknown: ['disk', 'warning'],
  disk_ok: ['disk', 'ok'],
  disk_low: ['disk', 'warning'],
  disk_full: ['disk', 'wrong'],
  disk_full_elsewhere: ['disk', 'wrong'],
  master_key_environment: ['master_key', 'ok'],
  master_key_file: ['master_key', 'ok'],
  master_key_open: ['master_key', 'wrong'],
  public_url_missing: ['public_url', 'wrong'],
  public_url_none: ['public_url', 'ok'],
  public_url_ok: ['public_url', 'ok'],
  public_url_plain: ['public_url', 'warning'],
  public_url_answers: ['public_url_answers', 'ok'],
  public_url_status: ['public_url_answers', 'wrong'],
  public_url_silent: ['public_url_answers', 'wrong'],
  proxy_untrusted: ['proxy', 'wrong'],
  proxy_none: ['proxy', 'ok'],
  proxy_trusted: ['proxy', 'ok'],
  proxy_trusted_open: ['proxy', 'ok'],
  mail_ok: ['mail', 'ok'],
  mail_none: ['mail', 'ok'],
  mail_missing: ['mail', 'warning'],
  mail_server_ok: ['mail_server', 'ok'],
  mail_server_refuses: ['mail_server', 'wrong'],
  limits_on: ['limits', 'ok'],
  limits_off_here: ['limits', 'ok'],
  limits_off: ['limits', 'warning'],
  clock_ok: ['clock', 'ok'],
  clock_ahead: ['clock', 'wrong'],
  clock_behind: ['clock', 'wrong'],
  node_clocks_ok: ['node_clocks', 'ok'],
  node_clocks_wrong: ['node_clocks', 'wrong'],
  connections_ok: ['connections', 'ok'],
  connections_tight: ['connections', 'warning'],
  connections_too_few: ['connections', 'wrong'],
  backup_ok: ['backup', 'ok'],
  backup_none: ['backup', 'warning'],
  backup_old: ['backup', 'wrong'],
  backup_broken: ['backup', 'wrong'],
  replica_ok: ['replica', 'ok'],
  replica_late: ['replica', 'warning'],
  replica_unreached: ['replica', 'warning'],
  replica_is_primary: ['replica', 'wrong'],
  replica_foreign: ['replica', 'wrong'],
  redis_ok: ['redis', 'ok'],
  redis_single: ['redis', 'ok'],
  redis_parent: ['redis', 'ok'],
  redis_missing: ['redis', 'warning'],
  phones_ok: ['phones', 'ok'],
  phones_silent: ['phones', 'wrong'],
  endpoints_ok: ['endpoints', 'ok'],
  endpoints_unreached: ['endpoints', 'wrong'],
  webhooks_ok: ['webhooks', 'ok'],
  webhooks_late: ['webhooks', 'wrong'],
  frozen_none: ['frozen', 'ok'],
  frozen_some: ['frozen', 'warning'],
  forwarding_none: ['forwarding', 'ok'],
  forwarding_some: ['forwarding', 'warning'],
  twin_wallets_none: ['twin_wallets', 'ok'],
  twin_wallets_some: ['twin_wallets', 'wrong'],
  unread_alerts_none: ['unread_alerts', 'ok'],
  unread_alerts_some: ['unread_alerts', 'warning'],
}

const texts: Readonly<Record<string, string>> = findingTexts

const filled = (text: string, values: Values): string =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`A finding lacks its value ${name}.`)
    return typeof value === 'number' ? value.toLocaleString('en-US') : value
  })

export const found = (kind: FindingKind, values: Values = {}): Finding => {
  const [part, level] = judged[kind]
  const cure = texts[`cure.${kind}`]
  const says = filled(texts[`finding.${kind}`]!, values)
  return { part, level, kind, values, says, ...(cure === undefined ? {} : { cure: filled(cure, values) }) }
}

/** The whole is as bad as its worst part. */
export const worst = (findings: readonly Said[]): FindingLevel =>
  findings.some(({ level }) => level === 'wrong')
    ? 'wrong'
    : findings.some(({ level }) => level === 'warning')
      ? 'warning'
      : 'ok'
