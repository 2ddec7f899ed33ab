/**
 * The notice to owners that other messages count as money now, or that a limit of a wallet is looser. Every path to such a change asks
 * here: an owner who changes it, and one who confirms what a manager asked for. Another sender is told in any case, because the
 * messages of the one before count no more. Pure.
 */
import { type ChangeNotices, namesInNotice } from '../../../accounts/notices/owner-notice.ts'
import type { OwnerReason } from '../../../wallets/trust/needs-owner.ts'
import type { WalletSettings } from '../../../wallets/wallet.ts'

type Told = Pick<ChangeNotices, 'notice'>

const noticeOf = (name: string, reasons: readonly OwnerReason[], facts: object): Told => ({
  notice: { kind: 'trust_changed', facts: { name, reasons: reasons.join(','), ...facts } },
})

const named = (field: 'senders' | 'packages', names: readonly string[]) =>
  namesInNotice(
    field,
    names.filter((name) => name !== ''),
  )

/** `before` undefined: the wallet is new. */
export const walletNotice = (
  before: WalletSettings | undefined,
  after: WalletSettings,
  needed: readonly OwnerReason[],
): Told => {
  const isOther = before !== undefined && before.senderName !== after.senderName && !needed.includes('sender')
  const reasons: readonly OwnerReason[] = isOther ? ['sender', ...needed] : needed
  if (reasons.length === 0) return {}
  return noticeOf(after.name, reasons, reasons.includes('sender') ? named('senders', [after.senderName]) : {})
}

type Provider = { readonly displayName: string; readonly packages: readonly string[] }

export const providerNotice = (before: Provider, after: Provider, needed: readonly OwnerReason[]): Told =>
  needed.length === 0
    ? {}
    : noticeOf(
        after.displayName,
        needed,
        named(
          'packages',
          after.packages.filter((name) => !before.packages.includes(name)),
        ),
      )

export const templateNotice = (name: string, senderNames: readonly string[]): Told => ({
  notice: { kind: 'template_published', facts: { name, ...namesInNotice('senders', senderNames) } },
})
