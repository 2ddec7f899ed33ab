/** Shows the progress of long work: a bar on a terminal, a line at the end elsewhere. */
const width = 30

export type Progress = { at(done: number): void; end(): void }

export const showProgress = (what: string, total: number): Progress => {
  const { stdout } = process
  const began = performance.now()
  const show = (done: number): void => {
    if (!stdout.isTTY) return
    const share = Math.min(1, done / total)
    const full = Math.round(share * width)
    stdout.write(`\r${what} [${'#'.repeat(full)}${'.'.repeat(width - full)}] ${Math.floor(share * 100)}%`)
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
