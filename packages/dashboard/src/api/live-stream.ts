/**
 * The live stream: hints about which kinds of records changed; the queries that show them are fetched again. Hints of one
 * burst are handled together. The stream is opened after the screen is rendered and begins with the changes since the page
 * was made. The browser reconnects by itself and sends its last position; on a reset everything is fetched again.
 */
import type { useQueryClient } from '@tanstack/react-query'
import { urlOf } from './call.ts'
import { takeStreamPosition } from './preloaded.ts'
import { type Kind, refetchKinds } from './use-api.ts'

type Client = ReturnType<typeof useQueryClient>

const burst_ms = 250
/** The stream takes one of the browser's few connections, which the screen's files need first. */
const openAfter_ms = 500

export const openLiveStream = (client: Client): (() => void) => {
  let close = (): void => {}
  // After a switch of accounts there is no position to continue from: nothing older is shown.
  const after = takeStreamPosition()
  if (after === undefined) return open(client, after)
  const timer = setTimeout(() => {
    close = open(client, after)
  }, openAfter_ms)
  return () => {
    clearTimeout(timer)
    close()
  }
}

const open = (client: Client, after: string | undefined): (() => void) => {
  const changed = new Set<Kind>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const source = new EventSource(urlOf('openStream', { query: { after } }))
  const handleBurst = (): void => {
    timer = undefined
    const kinds = [...changed]
    changed.clear()
    void refetchKinds(client, kinds)
  }
  source.addEventListener('message', ({ data }) => {
    const hint = JSON.parse(data as string) as { kind: Kind }
    changed.add(hint.kind)
    timer ??= setTimeout(handleBurst, burst_ms)
  })
  source.addEventListener('reset', () => void client.invalidateQueries())
  // The server refuses to open the stream again: the session or the membership has ended, and `showMe` will tell.
  source.addEventListener('error', () => {
    if (source.readyState === EventSource.CLOSED) void client.invalidateQueries({ queryKey: ['showMe'] })
  })
  return () => {
    clearTimeout(timer)
    source.close()
  }
}
