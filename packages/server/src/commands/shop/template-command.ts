/** `sanad template`: the templates that every account shares, from draft to retired. */
import { readFile } from 'node:fs/promises'
import {
  draftShared,
  listShared,
  publishShared,
  retireSharedTemplate,
} from '../../alerts/templates/shared-templates.ts'
import { CommandError } from '../../command-error.ts'
import { systemClock } from '../../core/clock.ts'
import type { TemplateId } from '../../core/ids.ts'
import { readNewTemplate } from '../../http/body/dashboard/operator-body.ts'
import { fieldsIn } from '../body-of-options.ts'
import { type AddTo, changed, idOf } from '../command-line.ts'

export const addTo: AddTo = (template, line) => {
  template
    .command('list')
    .description('at most 200 of them')
    .option('--provider <id>', 'only of this provider')
    .option('--status <status>', 'draft, active or retired')
    .action(async (options: { provider?: string; status?: string }) => {
      const provider = options.provider === undefined ? {} : { provider: idOf<string>(options.provider) }
      const status = options.status === undefined ? {} : { status: options.status }
      const { templates } = await line.onStore('sanad template', (db) =>
        listShared(db, { ...provider, ...status, size: 200 }),
      )
      for (const one of templates) line.say(`${one.id}  ${one.status.padEnd(7)}  version ${one.version}  ${one.name}`)
    })

  template
    .command('draft')
    .description('draft one from a JSON file with the fields of the API')
    .requiredOption('--file <path>', 'provider, name, sender_names, sentence, samples, counter_samples')
    .action(async ({ file }: { file: string }) => {
      const { draft, replaces } = fieldsIn(readNewTemplate, await readFile(file))
      const made = await changed(line, (db, note) => draftShared(db, note, draft, replaces, systemClock.now()))
      line.say(`template       ${made.id}`)
    })

  template
    .command('publish')
    .description('publish a draft; the version before it is retired')
    .requiredOption('--template <id>', 'which one')
    .action(async (input: { template: string }) => {
      const done = await changed(line, (db, note) => publishShared(db, note, idOf<TemplateId>(input.template)))
      if ('failures' in done) throw new CommandError(done.failures.join('\n'))
      line.say('Published.')
    })

  template
    .command('retire')
    .description('read nothing with it any more')
    .requiredOption('--template <id>', 'which one')
    .action(async (options: { template: string }) => {
      await changed(line, (db, note) => retireSharedTemplate(db, note, idOf<TemplateId>(options.template)))
      line.say('Retired.')
    })
}
