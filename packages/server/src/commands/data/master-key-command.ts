/** `sanad master-key`: checks the key that seals all secrets, replaces it while the service runs, or resets a lost one. */

import { CommandError } from '../../command-error.ts'
import { systemClock } from '../../core/clock.ts'
import { openKeyRing } from '../../key-ring.ts'
import { adoptNextMasterKey, keyFileOf, loadMasterKeys, makeNextMasterKey } from '../../master-key.ts'
import { checkReset, resetMasterKey } from '../../reset-master-key.ts'
import { rotateMasterKey } from '../../rotate-master-key.ts'
import type { AddTo } from '../command-line.ts'

export const addTo: AddTo = (command, { say, onStore }) => {
  command
    .command('check')
    .description('say whether the master key here is the one that the secrets in the database are sealed with')
    .action(async () => {
      await onStore('sanad master-key', (db, config) => openKeyRing(db, config, systemClock.now()))
      say('The master key fits the database.')
    })
  command
    .command('rotate')
    .description(
      'seal every secret anew with another master key; may be run again after it was stopped. With SANAD_MASTER_KEY ' +
        '(the new key) and SANAD_MASTER_KEY_PREVIOUS (the old one), or with the key file, for which a new key is made',
    )
    .option('--revoke-tokens', 'refuse at once the tokens that the old key has signed, as when that key was stolen')
    .action(async ({ revokeTokens }: { revokeTokens?: boolean }) => {
      const rotated = await onStore('sanad master-key rotate', async (db, config) => {
        const inFile = config.masterKey === undefined
        if (!inFile && config.masterKeyPrevious === undefined)
          throw new CommandError(
            'SANAD_MASTER_KEY_PREVIOUS is not set: give every node SANAD_MASTER_KEY (the new key) and SANAD_MASTER_KEY_PREVIOUS (the old one), then rotate.',
          )
        // This refuses a key that does not fit, and finishes a rotation that stopped before its last step.
        await openKeyRing(db, config, systemClock.now())
        const keys = await loadMasterKeys(config)
        const to = inFile ? await makeNextMasterKey(config) : keys[0]!
        const from = inFile ? keys[0]! : keys[1]!
        const tokens_ms = revokeTokens ? 0 : config.tokenTtl_s * 1000
        const rotation = await rotateMasterKey({ db, from, to, tokens_ms, now: () => systemClock.now(), say })
        if (inFile) await adoptNextMasterKey(config)
        return { ...rotation, inFile, path: keyFileOf(config) }
      })
      for (const place of rotated.lost) say(`Neither key opens ${place}: it was lost before, and has to be set anew.`)
      say(`Done: ${rotated.sealedAnew} secrets sealed anew, generation ${rotated.generation}.`)
      say(
        rotated.inFile
          ? `${rotated.path} holds the new key. The old one is beside it (.previous): keep it with the backups that were made until now, and delete it here once tokens have expired.`
          : 'Keep the old key with the backups that were made until now. Take SANAD_MASTER_KEY_PREVIOUS from the nodes once tokens have expired.',
      )
    })
  command
    .command('reset')
    .description(
      'give the service a new master key when the old one is lost for good, with no node running. Whatever the old key sealed is lost',
    )
    .option('--yes-lose-secrets', 'do it; without this, only say what would be lost')
    .action(async ({ yesLoseSecrets }: { yesLoseSecrets?: boolean }) => {
      if (!yesLoseSecrets) {
        await onStore('sanad master-key reset', checkReset)
        for (const line of whatIsLost) say(line)
        throw new CommandError('Nothing was changed. To do it: sanad master-key reset --yes-lose-secrets')
      }
      const reset = await onStore('sanad master-key reset', (db, config) =>
        resetMasterKey(db, config, systemClock.now()),
      )
      say(
        `Done: ${reset.place} holds the master key of this database now, generation ${reset.generation}. Keep a copy of it.`,
      )
      say(`${reset.phones} phones must be paired again, or their forwarding apps given access again.`)
      say(`${reset.endpoints} endpoints have a new secret that nobody knows, and no headers: owners rotate it.`)
      say(`${reset.secondFactors} users have no second factor any more; their password alone signs them in.`)
      say(`${reset.pins} members need a new PIN for the counter.`)
      say(`${reset.messages} sealed messages were deleted.`)
      say('Owners are told in the dashboard and by email. Start the service.')
    })
}

const whatIsLost = [
  'The master key seals secrets that the service must read again. Without it nobody can read them. A reset deletes them:',
  '  the secrets and signing keys of phones: every phone must be paired again, every app that signs given access again',
  '  the signing secrets and header values of webhook endpoints: owners rotate them and tell their servers',
  '  second factors and recovery codes: they are off until their users set them up again',
  '  PINs of cashiers: owners set new ones',
  '  the sealed text of one-time codes and of messages of other senders',
  '  tokens (programs get new ones by themselves), open pairing codes, and the names of known browsers',
  '  the addresses that the dashboard shows for older payment links: make those links anew. Addresses that buyers have go on working',
  'Kept: accounts, members, passwords, sessions, API keys, wallets, intents, payments, alerts, events and the audit log.',
  'If a copy of the key may still exist (a backup of the data directory, a password safe, another node), look there first.',
]
