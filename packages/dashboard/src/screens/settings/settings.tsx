/** The settings pages: user, notices, account, payment page, members, audit log. */
import { useMe } from '../../frame/session-context.ts'
import { SubPages } from '../../parts/page/sub-pages.tsx'
import { useWords } from '../../words/language.ts'
import { requestsWords } from '../../words/requests.ts'
import { retentionWords } from '../../words/retention.ts'
import { checkoutsWords } from '../../words/screens/checkouts.ts'
import { noticesWords } from '../../words/screens/notices.ts'
import { settingsWords } from '../../words/screens/settings.ts'
import { AuditLog } from '../audit/audit-log.tsx'
import { PageSettings } from '../checkouts/page-settings.tsx'
import { Account } from './account.tsx'
import { Buyers } from './buyers.tsx'
import { Limits } from './limits.tsx'
import { Members } from './members/members.tsx'
import { Notices } from './notices.tsx'
import { OwnSettings } from './own-settings.tsx'
import { Retention } from './retention.tsx'

const Settings = () => {
  const { t } = useWords(settingsWords, checkoutsWords, noticesWords, requestsWords, retentionWords)
  const { may } = useMe()
  const pages = [
    {
      path: '/settings/you',
      name: t('settings.you'),
      lead: t('settings.youLead'),
      page: <OwnSettings />,
      action: 'self',
    },
    {
      path: '/settings/notices',
      name: t('notices.allTitle'),
      lead: t('notices.allLead'),
      page: <Notices />,
      action: 'self',
    },
    {
      path: '/settings/account',
      name: t('frame.account'),
      lead: t('settings.accountLead'),
      page: <Account />,
      action: 'account.read',
    },
    {
      path: '/settings/payment-page',
      name: t('page.title'),
      lead: t('page.lead'),
      page: <PageSettings />,
      action: 'account.read',
    },
    {
      path: '/settings/members',
      name: t('settings.members'),
      lead: t('settings.membersLead'),
      page: <Members />,
      action: 'members.read',
    },
    {
      path: '/settings/limits',
      name: t('limits.title'),
      lead: t('limits.lead'),
      page: <Limits />,
      action: 'limits.write',
    },
    {
      path: '/settings/retention',
      name: t('retention.title'),
      lead: t('retention.lead'),
      page: (
        <>
          <Retention />
          <Buyers />
        </>
      ),
      action: 'retention.write',
    },
    {
      path: '/settings/audit',
      name: t('frame.audit'),
      lead: t('settings.auditLead'),
      page: <AuditLog call="listAudit" />,
      action: 'audit.read',
    },
  ]
  return <SubPages title={t('frame.settings')} base="/settings" pages={pages.filter(({ action }) => may(action))} />
}

export default Settings
