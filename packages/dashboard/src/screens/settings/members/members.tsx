/** Requests, members and their roles, counters, invitations, and what each role may do. */
import { Stack } from '@mantine/core'
import { Section } from '../../../parts/page/section.tsx'
import { useWords } from '../../../words/language.ts'
import { settingsWords } from '../../../words/screens/settings.ts'
import { Counters } from '../cashiers/counters.tsx'
import { FactorRule } from '../factor/factor-rule.tsx'
import { Invitations } from './invitations.tsx'
import { MemberList } from './member-list.tsx'
import { MemberRequests } from './member-requests.tsx'
import { RolesInWords } from './role-choice.tsx'

export const Members = () => {
  const { t } = useWords(settingsWords)
  return (
    <Stack gap="md">
      <MemberRequests />
      <MemberList />
      <Counters />
      <FactorRule />
      <Invitations />
      <Section title={t('members.roles')}>
        <RolesInWords />
      </Section>
    </Stack>
  )
}
