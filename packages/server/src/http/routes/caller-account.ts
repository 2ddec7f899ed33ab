/** The account of a caller, for the log and for traces. Pure. */

/** As each API knows it: of a key, of a phone, or of a user who acts for it. */
type KnownCaller = {
  readonly key?: { readonly scope: { readonly accountId: string } }
  readonly phone?: { readonly accountId: string }
  readonly user?: { readonly member?: { readonly accountId: string } | null }
}

export const accountOfCaller = (caller: unknown): string | undefined => {
  const { key, phone, user } = (caller ?? {}) as KnownCaller
  return key?.scope.accountId ?? phone?.accountId ?? user?.member?.accountId
}
