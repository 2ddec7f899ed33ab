/**
 * Ends PostgreSQL processes that still work on a cluster after their Sanad, or their postmaster, has ended. The caller holds the
 * data directory, so no other Sanad uses them. A postmaster gets a fast shutdown; the children of a killed postmaster are stopped
 * at once, as crash recovery expects.
 */
import { readdir, readFile, stat } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { readPostmaster } from './embedded-cluster.ts'
import { run } from './embedded-user.ts'

/** Returns the pid in a stale postmaster.pid: it may belong to another program now, and PostgreSQL must know that. */
export const endOrphans = async (clusterDir: string): Promise<{ stalePid?: number }> => {
  const postmaster = await readPostmaster(clusterDir)
  // Every orderly shutdown removes the file.
  if (!postmaster) return {}
  const servers = await serversOn(clusterDir, postmaster.pid)
  if (servers.includes(postmaster.pid)) {
    signal([postmaster.pid], 'SIGINT')
    if (!(await waitForEnd(clusterDir, postmaster.pid, 10_000))) signal([postmaster.pid], 'SIGQUIT')
    // It kills its own children five seconds after this signal.
    if (!(await waitForEnd(clusterDir, postmaster.pid, 10_000))) {
      throw new Error(`PostgreSQL, process ${postmaster.pid}, works on ${clusterDir} and does not stop: end it.`)
    }
    return {}
  }
  signal(servers, 'SIGQUIT')
  if (!(await waitForEnd(clusterDir, postmaster.pid, 3_000)))
    signal(await serversOn(clusterDir, postmaster.pid), 'SIGKILL')
  await waitForEnd(clusterDir, postmaster.pid, 3_000)
  return { stalePid: postmaster.pid }
}

const waitForEnd = async (clusterDir: string, postmasterPid: number, withinMs: number): Promise<boolean> => {
  const deadline = AbortSignal.timeout(withinMs)
  while ((await serversOn(clusterDir, postmasterPid)).length > 0) {
    if (deadline.aborted) return false
    await delay(20)
  }
  return true
}

/** The running PostgreSQL processes of a cluster. Their working directory is the cluster. Device and inode are compared, because
 *  the same path may be another directory inside a container. */
const serversOn = async (clusterDir: string, postmasterPid: number): Promise<number[]> => {
  if (process.platform !== 'linux') return (await isPostmasterByName(clusterDir, postmasterPid)) ? [postmasterPid] : []
  const { dev, ino } = await stat(clusterDir)
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const servers: number[] = []
  for (const pid of pids) {
    try {
      const cwd = await stat(`/proc/${pid}/cwd`)
      if (cwd.dev !== dev || cwd.ino !== ino) continue
      if ((await readFile(`/proc/${pid}/comm`, 'utf8')).trim() === 'postgres') servers.push(Number(pid))
    } catch {
      // The process belongs to another user, or has just ended.
    }
  }
  return servers
}

const isPostmasterByName = async (clusterDir: string, pid: number): Promise<boolean> => {
  const here = { uid: process.getuid!(), gid: process.getgid!(), before: [] }
  const { output } = await run(here, 'ps', ['-o', 'command=', '-p', String(pid)])
  return output.includes('postgres') && output.includes(clusterDir)
}

const signal = (pids: number[], name: NodeJS.Signals) => {
  for (const pid of pids) {
    try {
      process.kill(pid, name)
    } catch {
      // The process has just ended.
    }
  }
}
