/** `GET /store/sanad/wallets?provider_id=pp_sanad_<id>`: the wallets to choose from, for the storefront's own payment page. */
export { listWallets as GET } from '../../../../../../../src/routes.js'
