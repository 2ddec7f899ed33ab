/** `POST /store/sanad/reference`: attaches the reference that the buyer typed, for the storefront's own payment page. */
export { attachReference as POST } from '../../../../../../../src/routes.js'
