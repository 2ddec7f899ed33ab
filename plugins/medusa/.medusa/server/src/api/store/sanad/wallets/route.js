/** `GET /store/sanad/wallets?provider_id=pp_sanad_<id>`: the wallets to choose from, for a page of the storefront's own. */
export { listWallets as GET } from '../../../../../../../src/routes.js'
