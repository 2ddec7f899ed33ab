/** The memory of processes, in MB. Linux only. */
import { readdirSync, readFileSync } from 'node:fs'

/** Resident. */
export const memory_mb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024

/** The most that it has used so far, as the kernel records it; 0 when it has ended. */
export const peakMemory_mb = (pid: number): number => {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

/** What only this process uses: without shared buffers and programs. */
export const ownMemory_mb = (pid: number): number => {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  const kb = [...text.matchAll(/^Private_(?:Clean|Dirty):\s+(\d+)/gm)].reduce(
    (sum, [, value]) => sum + Number(value),
    0,
  )
  return kb / 1024
}

/** What it uses, with its share of what several processes use. */
export const shareOfMemory_mb = (pid: number): number =>
  Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))![1]) / 1024

export const childrenOf = (pid: number): { readonly pid: number; readonly title: string }[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'latin1')
        const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
        return parent === pid ? [{ pid: Number(name), title: readFileSync(`/proc/${name}/cmdline`, 'latin1') }] : []
      } catch {
        // The process has ended meanwhile.
        return []
      }
    })
