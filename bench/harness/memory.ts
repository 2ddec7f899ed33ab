/** The resident memory of a process, in MB. Linux only. */
import { readFileSync } from 'node:fs'

export const memory_mb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024
