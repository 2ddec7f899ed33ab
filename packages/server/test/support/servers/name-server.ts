/**
 * A DNS server on loopback. For each query it answers as the test wants: with the same addresses, with others each time, or
 * not at all. It reads only the name and the record type (A or AAAA) of a query.
 */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv4 } from 'node:net'

/** All addresses of a name, IPv4 and IPv6. `nobody`: the name does not exist. `silence`: no answer is sent. */
export type DnsAnswer = readonly string[] | 'nobody' | 'silence'

export type NameServer = {
  /** Host and port, as `Resolver.setServers` takes them. */
  readonly address: string
  /** The names of all queries, in order, with repetitions. */
  readonly queried: readonly string[]
  close(): Promise<void>
}

const HEADER = 12
const [A, AAAA] = [1, 28]
const NO_SUCH_NAME = 3

const nameIn = (message: Buffer): { readonly name: string; readonly end: number } => {
  const labels: string[] = []
  let at = HEADER
  for (let length = message[at]!; length > 0; length = message[at]!) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 }
}

const bytesOf = (address: string): Buffer => {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number))
  const [head = '', tail] = address.split('::')
  const groups = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16))
  const [before, behind] = [groups(head), groups(tail ?? '')]
  const zeros = Array<number>(tail === undefined ? 0 : 8 - before.length - behind.length).fill(0)
  return Buffer.from([...before, ...zeros, ...behind].flatMap((group) => [group >> 8, group & 255]))
}

/** The response: the question, followed by the address records. */
const answerTo = (message: Buffer, end: number, code: number, type: number, addresses: readonly string[]): Buffer => {
  const question = message.subarray(HEADER, end + 4)
  const header = Buffer.alloc(HEADER)
  message.copy(header, 0, 0, 2)
  header.writeUInt16BE(0x8180 | code, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(addresses.length, 6)
  const records = addresses.map((address) => {
    const value = bytesOf(address)
    const record = Buffer.alloc(HEADER)
    // The name, as a pointer to the name in the question.
    record.writeUInt16BE(0xc00c, 0)
    record.writeUInt16BE(type, 2)
    record.writeUInt16BE(1, 4)
    record.writeUInt32BE(0, 6)
    record.writeUInt16BE(value.length, 10)
    return Buffer.concat([record, value])
  })
  return Buffer.concat([header, question, ...records])
}

/** `answer` is called once for IPv4 and once for IPv6. */
export const openNameServer = async (answer: (name: string, family: 4 | 6) => DnsAnswer): Promise<NameServer> => {
  const queried: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (message, from) => {
    const { name, end } = nameIn(message)
    const type = message.readUInt16BE(end)
    if (type !== A && type !== AAAA) return
    queried.push(name)
    const found = answer(name, type === A ? 4 : 6)
    if (found === 'silence') return
    const addresses = found === 'nobody' ? [] : found.filter((address) => isIPv4(address) === (type === A))
    socket.send(answerTo(message, end, found === 'nobody' ? NO_SUCH_NAME : 0, type, addresses), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    queried,
    async close() {
      socket.close()
      await once(socket, 'close')
    },
  }
}
