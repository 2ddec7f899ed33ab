/**
 * The live stream: hints about which kinds of records changed; the queries that show them are fetched again. Hints of one
 * burst are handled together. The stream is opened after the screen is rendered and begins with the changes since the
 * server made the page. After a break the browser reconnects by itself and sends its last position; on a reset everything is
 * fetched again. If the browser gives up (a proxy answered with an error), or the connection broke without an error, the
 * stream is opened again, and everything is fetched again unless the last position is known.
 */
import type { useQueryClient } from '@tanstack/react-query'
import { isLeaving, urlOf } from './call.ts'
import { checkService, onReconnect, pauseBefore, reportAnswered } from './connection.ts'
import { takeStreamPosition } from './preloaded.ts'
import { type Kind, refetchKinds } from './use-api.ts'

type Client = ReturnType<typeof useQueryClient>

const burst_ms = 250
/** The stream takes one of the browser's few connections, which the screen's files need first. */
const openAfter_ms = 500

export const openLiveStream = (client: Client): (() => void) => {
  const changed = new Set<Kind>()
  let burst: ReturnType<typeof setTimeout> | undefined
  let reopenTimer: ReturnType<typeof setTimeout> | undefined
  let source: EventSource | undefined
  let failures = 0
  // After a switch of accounts there is no position to continue from: nothing older is shown.
  let position = takeStreamPosition()

  const handleBurst = (): void => {
    // A call that is answered with 401 now would look like a session that was ended elsewhere.
    burst = isLeaving() ? setTimeout(handleBurst, burst_ms) : undefined
    if (burst !== undefined) return
    const kinds = [...changed]
    changed.clear()
    void refetchKinds(client, kinds)
  }

  const open = (): void => {
    clearTimeout(reopenTimer)
    source?.close()
    const isReopened = source !== undefined
    const opened = new EventSource(urlOf('openStream', { query: { after: position } }))
    source = opened
    opened.addEventListener('open', () => {
      failures = 0
      reportAnswered()
      if (isReopened && position === undefined) void client.invalidateQueries()
    })
    opened.addEventListener('message', ({ data, lastEventId }) => {
      reportAnswered()
      if (lastEventId !== '') position = lastEventId
      const hint = JSON.parse(data as string) as { kind: Kind }
      changed.add(hint.kind)
      burst ??= setTimeout(handleBurst, burst_ms)
    })
    opened.addEventListener('reset', ({ lastEventId }) => {
      if (lastEventId !== '') position = lastEventId
      void client.invalidateQueries()
    })
    opened.addEventListener('error', () => {
      void checkService()
      if (opened.readyState !== EventSource.CLOSED) return
      // The session or the membership may have ended: `showMe` finds out, and then this stream is closed.
      if (!isLeaving()) void client.invalidateQueries({ queryKey: ['showMe'] })
      reopenTimer = setTimeout(open, pauseBefore(failures++))
    })
  }

  // A stream that seems open may be dead: it does not notice a lost connection. A stream that is connecting continues by itself.
  const unsubscribe = onReconnect(() => {
    if (source !== undefined && source.readyState !== EventSource.CONNECTING) open()
  })
  const openTimer = setTimeout(open, position === undefined ? 0 : openAfter_ms)
  return () => {
    unsubscribe()
    clearTimeout(openTimer)
    clearTimeout(reopenTimer)
    clearTimeout(burst)
    source?.close()
  }
}
