/** Forwards one request to another address, for `sanad listen --forward-to`. Needs Node. */

export type ForwardedRequest = {
  /** Names and values in turn, as Node's `rawHeaders`. */
  readonly rawHeaders: readonly string[]
  readonly body: Uint8Array
}

export type ForwardResult =
  | { readonly kind: 'answer'; readonly status: number; readonly location: string | null; readonly took_ms: number }
  | { readonly kind: 'failed'; readonly error: string; readonly took_ms: number }

/** POSTs the same bytes and headers; redirects are not followed. A network failure is a result too, not an error. */
export declare const forward: (
  url: string,
  request: ForwardedRequest,
  options?: { readonly timeout_ms?: number | undefined },
) => Promise<ForwardResult>
