/** Reads how much room the disk of a directory has, for the metrics. */
import { statfs } from 'node:fs/promises'
import type { DiskRoom } from './metrics.ts'

export const diskRoom = (directory: string) => async (): Promise<DiskRoom> => {
  const { bavail, blocks, bsize } = await statfs(directory)
  return { free_bytes: bavail * bsize, size_bytes: blocks * bsize }
}
