/** The routes of templates: the list, a new template, and one template. */
import { Route, Switch } from 'wouter'
import { NewTemplate } from './new-template.tsx'
import { OneTemplate } from './one-template.tsx'
import { TemplateList } from './template-list.tsx'

const Templates = () => (
  <Switch>
    <Route path="/templates">
      <TemplateList />
    </Route>
    <Route path="/templates/new">
      <NewTemplate />
    </Route>
    <Route path="/templates/:id">{({ id }) => <OneTemplate key={id} id={id} />}</Route>
  </Switch>
)

export default Templates
