/**
 * Changes that need an owner: a sender whose messages count as money, an app whose notifications count, a looser limit of review.
 * A manager asks, an owner confirms or declines.
 */
import { type Static, Type } from 'typebox'
import { approvalKinds, approvalStates, ownerReasons } from '../../kinds.ts'
import { operationsOf } from '../../operation.ts'
import { flagField } from '../../query.ts'
import { id, oneOf, timestamp, timestampOrNull } from '../../scalars.ts'
import { closed, flag, listOf, orNull, text } from '../../schema.ts'
import { pageOf, pageQuery } from '../page.ts'
import { ProviderChanges } from './providers.ts'
import { NewWallet, WalletChanges } from './wallets.ts'

const Value = orNull(Type.String())

export const Approval = closed('A change that a manager has asked an owner to confirm.', {
  id: id('Identifier of the approval.'),
  kind: oneOf(approvalKinds, 'What is to be done.'),
  object: closed({
    id: text('The wallet, provider or template; `""`: the change creates it.'),
    name: text('Its name when the change was asked for.'),
  }),
  reasons: Type.Array(oneOf(ownerReasons, 'What of it needs an owner.')),
  changes: listOf(
    'Every value that changes, as text and whole: providers and phones by name. `before` null: there was none. `provider_kind` ' +
      'is `own` for a provider that the account has added, `operators` for one of the service. `packages` of a wallet: the apps ' +
      'whose notifications count for it.',
    {
      field: text('As in the body of the change, such as `sender_name`.'),
      before: Value,
      after: Value,
    },
  ),
  lists: listOf('Every element of the lists of senders and apps in `changes`.', {
    field: text('`sender_names` or `packages`.'),
    added: Type.Array(Type.String(), { description: 'Begin to count.' }),
    kept: Type.Array(Type.String()),
    removed: Type.Array(Type.String()),
  }),
  asked_by: text('Who asked for it.'),
  own: flag('You asked for it.'),
  asked_at: timestamp('When.'),
  expires_at: timestamp('Until when an owner can confirm it.'),
  state: oneOf(
    approvalStates,
    '`open`: waits for an owner. `confirmed`: done. `withdrawn`: by who asked. `expired`: no owner decided in time. `stale`: ' +
      'when an owner confirmed it, the object had changed, or who asked may no longer ask.',
  ),
  decided_by: text('Who ended it; `""`: nobody.'),
  decided_at: timestampOrNull('When it was ended.'),
})
export type Approval = Static<typeof Approval>

const operation = operationsOf({ tag: 'Approvals' })
const asking =
  'Nothing changes until an owner confirms. The change is checked as if it were done now: what an owner could not do either is ' +
  'refused. 400 `approval_not_needed`: you may make this change yourself. Asking again for the same change answers the open ' +
  'approval. An account has at most 20 open ones, each for seven days: 400 `approval_limit`.'

export const askNewWallet = operation({
  id: 'askNewWallet',
  method: 'POST',
  path: '/wallets/ask/',
  access: 'approvals.ask',
  summary: 'Ask an owner to confirm a new wallet',
  description: asking,
  body: NewWallet,
  example: { name: 'Shop', account_number: '770000001', provider: '{provider}', sender_name: 'Wallet' },
  status: 201,
  answer: Approval,
})

export const askWalletChange = operation({
  id: 'askWalletChange',
  method: 'POST',
  path: '/wallets/{id}/ask/',
  access: 'approvals.ask',
  summary: 'Ask an owner to confirm a change of a wallet',
  description: asking,
  body: WalletChanges,
  example: { sender_name: 'Wallet' },
  status: 201,
  answer: Approval,
})

export const askProviderChange = operation({
  id: 'askProviderChange',
  method: 'POST',
  path: '/providers/{id}/ask/',
  access: 'approvals.ask',
  summary: 'Ask an owner to confirm a change of a provider',
  description: asking,
  body: ProviderChanges,
  example: { packages: ['com.example.wallet'] },
  status: 201,
  answer: Approval,
})

export const askPublishing = operation({
  id: 'askPublishing',
  method: 'POST',
  path: '/templates/{id}/ask/',
  access: 'approvals.ask',
  summary: 'Ask an owner to confirm that a draft is published',
  description: asking,
  status: 201,
  answer: Approval,
})

export const listApprovals = operation({
  id: 'listApprovals',
  method: 'GET',
  path: '/approvals/',
  access: 'approvals.read',
  summary: 'Changes that wait for an owner, and those of the last 90 days, the newest first',
  query: {
    open: {
      description: '`1`: only those that an owner can confirm now.',
      schema: flagField(),
      published: Type.String(),
    },
    ...pageQuery('uuid'),
  },
  answer: pageOf(Approval, 'Approvals, the newest first.'),
})

export const showApproval = operation({
  id: 'showApproval',
  method: 'GET',
  path: '/approvals/{id}/',
  access: 'approvals.read',
  summary: 'One approval',
  answer: Approval,
})

export const confirmApproval = operation({
  id: 'confirmApproval',
  method: 'POST',
  path: '/approvals/{id}/confirm/',
  access: 'approvals.decide',
  proof: 'depends',
  summary: 'Confirm: the change is made now',
  description:
    'The change is checked again. If the wallet, provider or template is no longer as it was when the change was asked for, the ' +
    'answer is 400 `approval_stale` and nothing changes. 400 `approval_over`: it was decided, withdrawn or has expired. ' +
    'A change that loosens a limit needs a proof of the person.',
  answer: Approval,
})

export const declineApproval = operation({
  id: 'declineApproval',
  method: 'POST',
  path: '/approvals/{id}/decline/',
  access: 'approvals.decide',
  summary: 'Decline: nothing changes',
  answer: Approval,
})

export const withdrawApproval = operation({
  id: 'withdrawApproval',
  method: 'POST',
  path: '/approvals/{id}/withdraw/',
  access: 'approvals.ask',
  summary: 'Withdraw what you have asked for',
  description: 'What somebody else asked for: 400 `approval_of_another`.',
  answer: Approval,
})

export const approvalOperations = operation.described
