/** `POST /hooks/sanad/sanad_<id>`: webhooks. Answers 2xx only when the event was recorded; otherwise Sanad sends it again. */
export { receiveWebhook as POST } from '../../../../../../../src/routes.js'
