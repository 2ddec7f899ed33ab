/** The members of an account, their roles, and invitations. */
import { type Static, Type } from 'typebox'
import { withDefault } from '../../body.ts'
import { operationsOf } from '../../operation.ts'
import { id, oneOf, timestamp } from '../../scalars.ts'
import { closed, closedOrNull, flag, orNull, text, whole } from '../../schema.ts'
import { cookies } from '../answer-headers.ts'
import { AccountChoice, GivenWallets, Me, memberName, Role, WalletsToGive } from './session.ts'

const operation = operationsOf({ tag: 'Members' })

export const Member = closed('A member of the account.', {
  id: id('Identifier of the user.'),
  email: text('The address they sign in with; `""` for a cashier who signs in at a counter alone.'),
  name: text('Their name; `""` if unknown.'),
  role: Role,
  wallets: GivenWallets,
  counter_only: flag('Whether they have no address: they sign in at a counter with a PIN, and nowhere else.'),
  pin: closedOrNull('Their PIN for the counters of the account; null: they have none.', {
    set_at: timestamp('When an owner last set it.'),
    paused_until: orNull(timestamp('Until then it is not checked.')),
    wrong: whole('Tries since the last right one.'),
  }),
  since: timestamp('When they joined.'),
  second_factor: flag('Whether signing in asks them for a second factor.'),
  disabled: flag('Whether the operator has disabled them in the whole service.'),
  address_proved: flag(
    'Whether the address is known to be theirs: they opened a link that was mailed to it, or the operator of the service ' +
      'vouches for it. Who joined by a link that was passed on has not proved it.',
  ),
  request_since: orNull(
    timestamp('Since when the membership waits for an owner to confirm it. Until then it gives no access.'),
  ),
  last_used_at: orNull(
    timestamp(
      'When a browser of theirs last acted for this account, or when they last entered their PIN at a counter.',
    ),
  ),
  you: flag('Whether it is you.'),
})
export type Member = Static<typeof Member>

export const Invitation = closed('A link by which a user joins the account.', {
  id: id('Identifier of the invitation.'),
  email: text('Who is invited.'),
  role: Role,
  wallets: GivenWallets,
  state: oneOf(['open', 'expired'], 'Whether the link still works. One that was accepted is no longer listed.'),
  invited_by: text('Who invited them; `""` if the operator did.'),
  created_at: timestamp('When they were invited, or last invited again.'),
  expires_at: timestamp('Until when the link works.'),
  mailed: flag('Whether this service mailed a link as well. If not, the inviter passes the link on.'),
})
export type Invitation = Static<typeof Invitation>

export const InvitationWithLink = closed('An invitation that was just made, with its link.', {
  ...Invitation.properties,
  link: text('The link itself, shown in this answer alone: whoever has it can join. Only its hash is stored.'),
  qr_svg: text('The link as a QR code: an SVG document.'),
})
export type InvitationWithLink = Static<typeof InvitationWithLink>

export const ShownInvitation = closed({
  account: text('Name of the account.'),
  email: text('Who is invited.'),
  role: Role,
  invited_by: text('Who invited them; `""` if the operator did.'),
  expires_at: timestamp('Until when the link works.'),
  known: flag('Whether a user with this address exists: they accept after signing in, without a new password.'),
})

const linkToken = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'What follows the `#` in the link that was sent.',
})

export const listMembers = operation({
  id: 'listMembers',
  method: 'GET',
  path: '/members/',
  access: 'members.read',
  summary: 'All members of the account',
  description: 'The longest membership first. An account has at most 200 members and open invitations together.',
  answer: Type.Array(Member),
})

export const changeMember = operation({
  id: 'changeMember',
  method: 'PATCH',
  path: '/members/{id}/',
  access: 'members.write',
  proof: 'depends',
  summary: 'Change the role or the wallets of a member',
  description:
    'An account always has an owner: the role of the last owner cannot be changed (`last_owner`), nor that of the last owner ' +
    'whose address is proved (`last_proved_owner`). An owner sees all wallets: a limit is refused (`owner_sees_all`), and who becomes an ' +
    'owner loses it. A higher role or a further wallet needs a proof of the person. A cashier without an address stays one ' +
    '(`cashier_role_fixed`). What is left out stays as it is.',
  body: Type.Object({ role: Type.Optional(Role), wallets: Type.Optional(WalletsToGive) }),
  example: { role: 'cashier' },
  answer: Member,
})

export const confirmMember = operation({
  id: 'confirmMember',
  method: 'POST',
  path: '/members/{id}/confirm/',
  access: 'members.write',
  proof: 'depends',
  summary: 'Confirm the request of a member',
  description:
    'When a user whose address was not proved sets a new password by a link, their memberships become requests: they were given to ' +
    'whoever had the user before. Confirm one if the owner of the address is the person you want; otherwise remove the member. An owner needs a ' +
    'proof of the person.',
  refusals: { 400: 'It does not wait for a confirmation (`not_a_request`).' },
  answer: Member,
})

export const mailMemberProof = operation({
  id: 'mailMemberProof',
  method: 'POST',
  path: '/members/{id}/prove/',
  access: 'members.write',
  summary: 'Mail a member a link that proves their address',
  description:
    'The link works once, for a day, and only while the member is signed in. Nobody else is shown it. Refused where the service ' +
    'sends no mail (`mail_off`), for an address that is proved (`address_proved`), and while three links are open (`proof_limit`).',
  status: 204,
})

export const mailOwnProof = operation({
  id: 'mailOwnProof',
  method: 'POST',
  path: '/me/address/mail/',
  access: 'self',
  summary: 'Mail yourself a link that proves your address',
  description: 'As for a member (`mailMemberProof`).',
  status: 204,
})

export const proveAddress = operation({
  id: 'proveAddress',
  method: 'POST',
  path: '/me/address/',
  access: 'self',
  summary: 'Prove your address by the link that was mailed to you',
  description: 'Ends your other sessions and your tokens. The link of another user is refused (403 `other_person`).',
  body: Type.Object({ token: linkToken }),
  example: { token: 'not a link' },
  answer: Me,
})

export const removeMember = operation({
  id: 'removeMember',
  method: 'DELETE',
  path: '/members/{id}/',
  access: 'members.write',
  summary: 'Remove a member from the account',
  description:
    'Ends the sessions in which they act for it, and withdraws the invitations they made. Declines the request of a member who ' +
    'waits for a confirmation. The last owner, and the last owner whose address is proved, stay (`last_owner`, `last_proved_owner`).',
  status: 204,
})

export const leaveAccount = operation({
  id: 'leaveAccount',
  method: 'POST',
  path: '/me/leave/',
  access: 'self',
  withoutFactor: true,
  summary: 'Leave an account',
  description:
    'Any member can leave, except the last owner (`last_owner`, `last_proved_owner`). A request is withdrawn.',
  body: AccountChoice,
  example: { account: '00000000-0000-4000-8000-000000000000' },
  refusals: { 404: 'You do not belong to it.' },
  answer: Me,
})

export const listInvitations = operation({
  id: 'listInvitations',
  method: 'GET',
  path: '/invitations/',
  access: 'members.read',
  summary: 'Who is invited',
  answer: Type.Array(Invitation),
})

export const createInvitation = operation({
  id: 'createInvitation',
  method: 'POST',
  path: '/invitations/',
  access: 'members.write',
  proof: 'depends',
  summary: 'Invite a user',
  description:
    'The answer contains the link, which works once, for 7 days: pass it on yourself. If the service sends mail, the user ' +
    'gets another link of the same invitation by mail. Only that one proves the address. ' +
    'Inviting an owner needs a proof of the person.',
  body: Type.Object({
    email: Type.String({ format: 'email', minLength: 1, maxLength: 254, description: 'The address to invite.' }),
    role: Role,
    wallets: withDefault(WalletsToGive, null),
  }),
  example: { email: 'new@sanad.example', role: 'cashier' },
  status: 201,
  answer: InvitationWithLink,
})

export const withdrawInvitation = operation({
  id: 'withdrawInvitation',
  method: 'DELETE',
  path: '/invitations/{id}/',
  access: 'members.write',
  summary: 'Withdraw an invitation',
  status: 204,
})

export const resendInvitation = operation({
  id: 'resendInvitation',
  method: 'POST',
  path: '/invitations/{id}/resend/',
  access: 'members.write',
  proof: 'depends',
  summary: 'Make a new link; the old one stops working',
  description:
    'The answer contains the link. If the service sends mail, another link of the same invitation is mailed. ' +
    'An owner’s invitation needs a proof of the person.',
  answer: InvitationWithLink,
})

export const showInvitation = operation({
  id: 'showInvitation',
  method: 'POST',
  path: '/invitation/show/',
  access: 'open',
  anyOrigin: true,
  summary: 'What a link invites to',
  description: 'A POST, so that the token is in no address and in no log.',
  body: Type.Object({ token: linkToken }),
  example: { token: 'not a link' },
  answer: ShownInvitation,
})

export const acceptInvitation = operation({
  id: 'acceptInvitation',
  method: 'POST',
  path: '/invitation/accept/',
  access: 'open',
  summary: 'Accept an invitation',
  description:
    'A new user sends a name and a password, and is signed in. A user who has this address already must be ' +
    'signed in (otherwise 401 `sign_in_first`) as that user (otherwise 403 `other_person`), and acts for the account from then on.',
  body: Type.Object({
    token: linkToken,
    name: Type.Optional(memberName),
    new_password: Type.Optional(
      Type.String({
        minLength: 10,
        maxLength: 200,
        'x-trim': false,
        description: 'The password to sign in with from now on.',
      }),
    ),
  }),
  example: { token: 'not a link', name: 'Amal Saleh', new_password: 'a new one of some length' },
  answer: Me,
  answerHeaders: cookies,
})

export const memberOperations = operation.described
