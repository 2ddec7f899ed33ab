/** `sanad template`: lists, drafts, publishes and retires the templates that all accounts share. */
import { readFile } from 'node:fs/promises'
import {
  draftShared,
  listShared,
  publishShared,
  retireSharedTemplate,
} from '../../alerts/publishing/shared-templates.ts'
import { CommandError } from '../../command-error.ts'
import { systemClock } from '../../core/clock.ts'
import type { TemplateId } from '../../core/ids.ts'
import { readNewTemplate } from '../../http/body/dashboard/operator-body.ts'
import { fieldsIn } from '../body-of-options.ts'
import { type AddTo, changeOrRefuse, idOf } from '../command-line.ts'

export const addTo: AddTo = (template, line) => {
  template
    .command('list')
    .description('list shared templates, at most 200')
    .option('--provider <id>', 'only of this provider')
    .option('--status <status>', 'draft, active or retired')
    .action(async (options: { provider?: string; status?: string }) => {
      const provider = options.provider === undefined ? {} : { provider: idOf<string>(options.provider) }
      const withStatus = options.status === undefined ? {} : { status: options.status }
      const { templates } = await line.onStore('sanad template', (db) =>
        listShared(db, { ...provider, ...withStatus, size: 200 }),
      )
      for (const { id, status, version, name } of templates)
        line.say(`${id}  ${status.padEnd(7)}  version ${version}  ${name}`)
    })

  template
    .command('draft')
    .description('draft a template from a JSON file with the fields of the API')
    .requiredOption('--file <path>', 'provider, name, sender_names, sentence, samples, counter_samples')
    .action(async ({ file }: { file: string }) => {
      const { draft, replaces } = fieldsIn(readNewTemplate, await readFile(file))
      const created = await changeOrRefuse(line, (db, audit) =>
        draftShared(db, audit, draft, replaces, systemClock.now()),
      )
      line.say(`template       ${created.id}`)
    })

  template
    .command('publish')
    .description('publish a draft; the version before it is retired')
    .requiredOption('--template <id>', 'the id of the template')
    .action(async (input: { template: string }) => {
      const published = await changeOrRefuse(line, (db, audit) =>
        publishShared(db, audit, idOf<TemplateId>(input.template)),
      )
      if ('failures' in published) throw new CommandError(published.failures.join('\n'))
      line.say('Published.')
    })

  template
    .command('retire')
    .description('stop reading alerts with a template')
    .requiredOption('--template <id>', 'the id of the template')
    .action(async (options: { template: string }) => {
      await changeOrRefuse(line, (db, audit) => retireSharedTemplate(db, audit, idOf<TemplateId>(options.template)))
      line.say('Retired.')
    })
}
