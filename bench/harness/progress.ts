/** Shows the progress of long work: a bar on a terminal, elsewhere a line every ten seconds and at the end. */
const width = 30
const lineEvery_ms = 10_000

export type Progress = { at(done: number): void; end(): void }

export const showProgress = (what: string, total: number): Progress => {
  const { stdout } = process
  const began = performance.now()
  let shown = began
  const show = (done: number): void => {
    const share = Math.min(1, done / total)
    const percent = `${Math.floor(share * 100)}%`
    if (stdout.isTTY) {
      const full = Math.round(share * width)
      stdout.write(`\r${what} [${'#'.repeat(full)}${'.'.repeat(width - full)}] ${percent}`)
    } else if (performance.now() - shown >= lineEvery_ms) {
      shown = performance.now()
      stdout.write(`${what}: ${percent}\n`)
    }
  }
  show(0)
  return {
    at: show,
    end() {
      show(total)
      const seconds = ((performance.now() - began) / 1000).toFixed(1)
      stdout.write(stdout.isTTY ? `  ${seconds} s\n` : `${what}: ${seconds} s\n`)
    },
  }
}
