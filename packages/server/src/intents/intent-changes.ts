/**
 * What becomes of intents, counted from the statements that change them: whichever way an intent is created, verified or ended, it is
 * counted once, after the commit. Each statement that creates an intent or changes its status says here how many, and which change.
 */
import type { CommittedStatement } from '../postgres/connection/count-committed.ts'
import { formNames } from '../postgres/query/statement.ts'

export const intentChanges = ['created', 'verified', 'wrong_amount', 'expired', 'cancelled'] as const
export type IntentChange = (typeof intentChanges)[number]

/** The changes that a committed statement made, one entry for each intent. */
type ChangesOf = (statement: CommittedStatement) => readonly IntentChange[]

const counted = new Map<string, ChangesOf>()

/** Says how a statement changes intents; also for its forms that are limited to wallets or to today. */
export const changesIntents = <S extends { readonly statementName: string }>(statement: S, changes: ChangesOf): S => {
  for (const name of formNames(statement.statementName)) counted.set(name, changes)
  return statement
}

/** For a statement that returns a row for each intent that it changes. */
export const eachRow =
  (change: IntentChange): ChangesOf =>
  ({ rows }) =>
    rows.map(() => change)

export const changesAnIntent = (name: string): boolean => counted.has(name)

export const changesOf = (statement: CommittedStatement): readonly IntentChange[] =>
  counted.get(statement.query.name ?? '')?.(statement) ?? []
