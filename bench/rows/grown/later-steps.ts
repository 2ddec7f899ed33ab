/**
 * Takes indexes, keys and following triggers off while rows are loaded, as a restore does, and says with which statements they come
 * back. Foreign keys are checked then.
 */
import {
  followingTriggers,
  laterConstraints,
  laterIndexes,
  quoted,
} from '../../../packages/server/src/postgres/backup/backup-sql.ts'
import type { Session } from '../../../packages/server/src/postgres/connection/database.ts'

export const takeOff = async (session: Session): Promise<string[]> => {
  const constraints = await laterConstraints(session)
  const indexes = await laterIndexes(session)
  const triggers = await followingTriggers(session)
  const run = (text: string) => session.run({ text, values: [] })
  for (const { table, name } of triggers)
    await run(`alter table public.${quoted(table)} disable trigger ${quoted(name)}`)
  // Foreign keys come first in the list: they depend on the keys of other tables.
  for (const { table, name } of constraints)
    await run(`alter table public.${quoted(table)} drop constraint ${quoted(name)}`)
  for (const { name } of indexes) await run(`drop index public.${quoted(name)}`)
  const added = (kinds: string): string[] =>
    constraints
      .filter(({ kind }) => kinds.includes(kind))
      .map(
        ({ table, name, definition }) =>
          `alter table public.${quoted(table)} add constraint ${quoted(name)} ${definition}`,
      )
  const comments = [
    ...constraints.map(({ table, name, comment }) => [
      `constraint ${quoted(name)} on public.${quoted(table)}`,
      comment,
    ]),
    ...indexes.map(({ name, comment }) => [`index public.${quoted(name)}`, comment]),
  ].flatMap(([on, comment]) => (comment === null ? [] : [`comment on ${on} is ${comment}`]))
  return [
    ...added('pux'),
    ...indexes.map(({ definition }) => definition),
    ...added('cf'),
    ...comments,
    ...triggers.map(({ table, name }) => `alter table public.${quoted(table)} enable trigger ${quoted(name)}`),
  ]
}
