/** The routes of unmatched money: the queue, and one alert. */
import { Route, Switch } from 'wouter'
import { OneAlert } from './one-alert.tsx'
import { Queue } from './queue.tsx'

const Unmatched = () => (
  <Switch>
    <Route path="/unmatched">
      <Queue />
    </Route>
    <Route path="/unmatched/:id">{({ id }) => <OneAlert key={id} id={id} />}</Route>
  </Switch>
)

export default Unmatched
