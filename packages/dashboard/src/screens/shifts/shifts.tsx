/** The routes of shifts: the list, and the report of one. */
import { Route, Switch } from 'wouter'
import { OneShift } from './one-shift.tsx'
import { ShiftList } from './shift-list.tsx'

const Shifts = () => (
  <Switch>
    <Route path="/shifts">
      <ShiftList />
    </Route>
    <Route path="/shifts/:id">{({ id }) => <OneShift id={id} />}</Route>
  </Switch>
)

export default Shifts
