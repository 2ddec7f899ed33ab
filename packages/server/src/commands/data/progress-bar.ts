/** Shows how far long work has come: a bar on a terminal, plain lines elsewhere (a log, a pipe). */
import type { Progress } from '../../postgres/backup/progress.ts'

const width = 30
const redraw_ms = 100
const line_ms = 10_000

type Out = { readonly isTTY?: boolean; write(text: string): unknown }

export const progressBar = (out: Out = process.stdout): Progress => {
  let what: string | undefined
  let total = 0
  let began = 0
  let shown = 0
  const bar = (share: number): string => {
    const full = Math.round(share * width)
    return `\r${what} [${'#'.repeat(full)}${'.'.repeat(width - full)}] ${Math.floor(share * 100)}%`
  }
  const end = (): void => {
    if (what === undefined) return
    const seconds = `${((performance.now() - began) / 1000).toFixed(1)} s`
    out.write(out.isTTY ? `${bar(1)}  ${seconds}\n` : `${what}: ${seconds}\n`)
    what = undefined
  }
  return {
    part(name, steps) {
      end()
      what = name
      total = Math.max(steps, 1)
      began = performance.now()
      shown = began
      if (out.isTTY) out.write(bar(0))
    },
    at(done) {
      const now = performance.now()
      if (what === undefined || now - shown < (out.isTTY ? redraw_ms : line_ms)) return
      shown = now
      const share = Math.min(done / total, 1)
      out.write(out.isTTY ? bar(share) : `${what}: ${Math.floor(share * 100)}%\n`)
    },
    end,
  }
}
