/** The routes of phones: the list, and one phone. */
import { Route, Switch } from 'wouter'
import { OnePhone } from './one-phone.tsx'
import { PhoneList } from './phone-list.tsx'

const Phones = () => (
  <Switch>
    <Route path="/phones">
      <PhoneList />
    </Route>
    <Route path="/phones/:id">{({ id }) => <OnePhone id={id} />}</Route>
  </Switch>
)

export default Phones
