/** `sanad trigger`: a made-up event of a kind, sent to the account's endpoints and to those who listen. No money has arrived. */
import { eventKinds } from '@sanad/contract/kinds'
import { CommandError } from '../../command-error.ts'
import type { AddTo } from '../command-line.ts'
import { plain } from '../webhook/received-webhook.ts'
import { addServiceOptions, type ServiceOptions, serviceClient, Unreachable } from './service-client.ts'

type Sent = { readonly url: string; readonly outcome: string; readonly status: number | null; readonly error: string }
type Answer = { readonly id: string; readonly event: string; readonly results: readonly Sent[] }

const resultText = ({ url, outcome, status, error }: Sent): string => {
  const result = outcome === 'ok' ? 'arrived' : `did not arrive: ${error}`
  return plain(`  ${url}  ${result}${status === null ? '' : ` (${status})`}`)
}

export const addTo: AddTo = (command, line) => {
  addServiceOptions(command)
    .argument('<event>', `one of ${eventKinds.join(', ')}`)
    .option('--json', 'print one JSON object')
    .action(async (event: string, options: ServiceOptions & { readonly json?: boolean }) => {
      if (!(eventKinds as readonly string[]).includes(event))
        throw new CommandError(`There is no event ${event}; there are ${eventKinds.join(', ')}.`)
      const client = await serviceClient(options, line)
      const answer = (await client.ask('POST', '/events/trigger/', { event }).catch((fault: unknown) => {
        throw fault instanceof Unreachable ? new CommandError(fault.message) : fault
      })) as Answer
      if (options.json) return line.say(JSON.stringify(answer))
      line.say(`${event} was made up, as a test: ${answer.id}`)
      for (const sent of answer.results) line.say(resultText(sent))
      if (answer.results.length === 0)
        line.say('  No endpoint subscribes to it. Whoever runs sanad listen with this account receives it.')
    })
}
