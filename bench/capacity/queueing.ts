/**
 * The queueing model: M/M/c, that is calls that come at random, `servers` equal servers and one queue. The wait is what a call waits
 * before its work begins. Pure.
 */

export type Station = {
  /** Processors, or processes that use one processor each. */
  readonly servers: number
  /** Processor seconds of one call. */
  readonly service_s: number
}

/** How much of the servers' time is used: 1 is all of it, above 1 the queue grows without end. */
export const utilisation = (rate: number, { servers, service_s }: Station): number => (rate * service_s) / servers

/** Erlang C: the probability that a call must wait. 1 where the servers do not suffice. */
export const erlangC = (rate: number, { servers, service_s }: Station): number => {
  const load = rate * service_s
  if (load >= servers) return 1
  // Erlang B by its recurrence, which has no large factorials.
  let blocked = 1
  for (let n = 1; n <= servers; n++) blocked = (load * blocked) / (n + load * blocked)
  return blocked / (1 - (load / servers) * (1 - blocked))
}

/** The wait that the share `of` of the calls stays below, in seconds. Infinite where the servers do not suffice. */
export const waitWithin = (of: number, rate: number, station: Station): number => {
  const free = station.servers / station.service_s - rate
  if (free <= 0) return Number.POSITIVE_INFINITY
  const mustWait = erlangC(rate, station)
  // The wait of those who wait is exponential.
  return mustWait <= 1 - of ? 0 : Math.log(mustWait / (1 - of)) / free
}

/** The fewest servers that keep both bounds. `stationWith`: the station with so many. */
export const serversFor = (
  rate: number,
  stationWith: (servers: number) => Station,
  bounds: { readonly utilisation: number; readonly p99_s: number },
): number => {
  for (let servers = 1; ; servers++) {
    const station = stationWith(servers)
    if (utilisation(rate, station) <= bounds.utilisation && waitWithin(0.99, rate, station) <= bounds.p99_s)
      return servers
  }
}
