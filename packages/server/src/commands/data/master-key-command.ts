/** `sanad master-key`: the key that seals all secrets, replaced while the service runs. */
import { systemClock } from '../../core/clock.ts'
import { openKeyRing } from '../../key-ring.ts'
import { adoptNextMasterKey, keyFileOf, loadMasterKeys, makeNextMasterKey } from '../../master-key.ts'
import { Refused } from '../../refused.ts'
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
        const ofFile = config.masterKey === undefined
        if (!ofFile && config.masterKeyPrevious === undefined)
          throw new Refused(
            'SANAD_MASTER_KEY_PREVIOUS is not set: give every node SANAD_MASTER_KEY (the new key) and SANAD_MASTER_KEY_PREVIOUS (the old one), then rotate.',
          )
        // A key that does not fit is refused here already, and a rotation that ended without its last step is adopted.
        await openKeyRing(db, config, systemClock.now())
        const given = await loadMasterKeys(config)
        const to = ofFile ? await makeNextMasterKey(config) : given[0]!
        const from = ofFile ? given[0]! : given[1]!
        const tokens_ms = revokeTokens ? 0 : config.tokenTtl_s * 1000
        const done = await rotateMasterKey({ db, from, to, tokens_ms, now: () => systemClock.now(), say })
        if (ofFile) await adoptNextMasterKey(config)
        return { ...done, ofFile, path: keyFileOf(config) }
      })
      for (const place of rotated.lost) say(`Neither key opens ${place}: it was lost before, and has to be set anew.`)
      say(`Done: ${rotated.sealedAnew} secrets sealed anew, generation ${rotated.generation}.`)
      say(
        rotated.ofFile
          ? `${rotated.path} holds the new key. The old one is beside it (.previous): keep it with the backups that were made until now, and delete it here once tokens have expired.`
          : 'Keep the old key with the backups that were made until now. Take SANAD_MASTER_KEY_PREVIOUS from the nodes once tokens have expired.',
      )
    })
}
