/** The routes of webhooks: the list of endpoints, and one endpoint. */
import { Route, Switch } from 'wouter'
import { OneWebhook } from './one-webhook.tsx'
import { WebhookList } from './webhook-list.tsx'

const Webhooks = () => (
  <Switch>
    <Route path="/webhooks">
      <WebhookList />
    </Route>
    <Route path="/webhooks/:id">{({ id }) => <OneWebhook id={id} />}</Route>
  </Switch>
)

export default Webhooks
