/** The call that a dialog makes: whether it is under way, and how it failed. What `useApiMutation` returns has both. */
export type CallState = { readonly isPending: boolean; readonly error: Error | null }
