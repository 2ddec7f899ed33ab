/** Shows the progress of long work: a bar on a terminal, plain lines elsewhere (a log, a pipe). */
import type { Progress } from '../../postgres/backup/progress.ts'

const width = 30
const redraw_ms = 100
const line_ms = 10_000

type Out = { readonly isTTY?: boolean; write(text: string): unknown }

export const progressBar = (out: Out = process.stdout): Progress => {
  let part: string | undefined
  let total = 0
  let began = 0
  let shownAt = 0
  const bar = (share: number): string => {
    const full = Math.round(share * width)
    return `\r${part} [${'#'.repeat(full)}${'.'.repeat(width - full)}] ${Math.floor(share * 100)}%`
  }
  const end = (): void => {
    if (part === undefined) return
    const seconds = `${((performance.now() - began) / 1000).toFixed(1)} s`
    out.write(out.isTTY ? `${bar(1)}  ${seconds}\n` : `${part}: ${seconds}\n`)
    part = undefined
  }
  return {
    part(name, steps) {
      end()
      part = name
      total = Math.max(steps, 1)
      began = performance.now()
      shownAt = began
      if (out.isTTY) out.write(bar(0))
    },
    at(done) {
      const now = performance.now()
      if (part === undefined || now - shownAt < (out.isTTY ? redraw_ms : line_ms)) return
      shownAt = now
      const share = Math.min(done / total, 1)
      out.write(out.isTTY ? bar(share) : `${part}: ${Math.floor(share * 100)}%\n`)
    },
    end,
  }
}
