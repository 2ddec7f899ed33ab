/** The routes of intents: the list, and one intent. */
import { Route, Switch } from 'wouter'
import { IntentList } from './intent-list.tsx'
import { OneIntent } from './one-intent.tsx'

const Intents = () => (
  <Switch>
    <Route path="/intents">
      <IntentList />
    </Route>
    <Route path="/intents/:id">{({ id }) => <OneIntent id={id} />}</Route>
  </Switch>
)

export default Intents
