/** `POST /store/sanad/reference`: attaches the reference that the buyer typed, for a page of the storefront's own. */
export { attachReference as POST } from '../../../../../../../src/routes.js'
