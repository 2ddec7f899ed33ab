/** The operator's pages: health, accounts, and what all accounts share. */
import { Route, Switch } from 'wouter'
import { SubPages } from '../../parts/page/sub-pages.tsx'
import { useWords } from '../../words/language.ts'
import { operatorWords } from '../../words/screens/operator.ts'
import { AuditLog } from '../audit/audit-log.tsx'
import { Accounts } from './accounts.tsx'
import { FindingsPage } from './findings.tsx'
import { Health } from './health.tsx'
import { OneAccount } from './one-account.tsx'
import { OneTemplate } from './one-template.tsx'
import { Providers } from './providers.tsx'
import { Templates } from './templates.tsx'

const Operator = () => {
  const { t } = useWords(operatorWords)
  const pages = [
    { path: '/operator/health', name: t('operator.health'), lead: t('operator.healthLead'), page: <Health /> },
    {
      path: '/operator/findings',
      name: t('operator.findings'),
      lead: t('operator.findingsLead'),
      page: <FindingsPage />,
    },
    { path: '/operator/accounts', name: t('operator.accounts'), lead: t('operator.accountsLead'), page: <Accounts /> },
    {
      path: '/operator/providers',
      name: t('operator.providers'),
      lead: t('operator.providersLead'),
      page: <Providers />,
    },
    {
      path: '/operator/templates',
      name: t('frame.templates'),
      lead: t('operator.templatesLead'),
      page: <Templates />,
    },
    {
      path: '/operator/audit',
      name: t('frame.audit'),
      lead: t('operator.auditLead'),
      page: <AuditLog call="listOperatorAudit" />,
    },
  ]
  return (
    <Switch>
      <Route path="/operator/accounts/:id">{({ id }) => <OneAccount id={id} />}</Route>
      <Route path="/operator/templates/:id">{({ id }) => <OneTemplate id={id} />}</Route>
      <Route>
        <SubPages title={t('frame.operator')} base="/operator" pages={pages} />
      </Route>
    </Switch>
  )
}

export default Operator
