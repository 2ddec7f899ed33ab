/** `GET /wallets/`: the wallets into which a merchant can collect now, ordered by name. */
import type { Db } from '../../postgres/connection/database.ts'
import { listWallets, walletOf } from '../../views/wallets/wallet-sql.ts'
import { obstacle } from '../../wallets/wallets/wallet.ts'
import { sendJson } from '../answers.ts'
import { lastValues } from '../query/parameters.ts'
import { walletText } from './intent-answer.ts'
import type { Resource } from './resource.ts'

export const walletsResource = (db: Db): Resource => ({
  url: '/wallets/',
  name: 'Wallet List',
  bucket: 'wallets',
  otherMethods: { '*': 'wallets are created and changed in the dashboard' },
  methods: {
    GET: {
      bucket: 'wallets',
      query: { names: ['include_test'], flags: ['include_test'] },
      async handle({ request, reply, key }) {
        const withTest = lastValues(request.raw.url ?? '').get('include_test') === '1'
        const wallets = (await listWallets(db, key.accountId)).map(walletOf)
        const offered = wallets.filter((wallet) => obstacle(wallet) === undefined && (withTest || !wallet.isTest))
        return sendJson(reply, 200, `[${offered.map(walletText).join(',')}]`)
      },
    },
  },
})
