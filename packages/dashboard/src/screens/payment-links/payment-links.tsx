/** The routes of payment links: the list, one link, and its poster. */
import { Route, Switch } from 'wouter'
import { LinkList } from './link-list.tsx'
import { OneLink } from './one-link.tsx'
import { Poster } from './poster.tsx'

const PaymentLinks = () => (
  <Switch>
    <Route path="/payment-links">
      <LinkList />
    </Route>
    <Route path="/payment-links/:id">{({ id }) => <OneLink id={id} />}</Route>
    <Route path="/payment-links/:id/poster">{({ id }) => <Poster id={id} />}</Route>
  </Switch>
)

export default PaymentLinks
