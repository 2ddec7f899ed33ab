/** The routes of checkouts: the list, and one checkout. */
import { Route, Switch } from 'wouter'
import { CheckoutList } from './checkout-list.tsx'
import { OneCheckout } from './one-checkout.tsx'

const Checkouts = () => (
  <Switch>
    <Route path="/checkouts">
      <CheckoutList />
    </Route>
    <Route path="/checkouts/:id">{({ id }) => <OneCheckout id={id} />}</Route>
  </Switch>
)

export default Checkouts
