/** The four roles, each with a description of what it may do: to choose one, or only to read. */

import { Radio, Stack, Text } from '@mantine/core'
import { type MemberRole, memberRoles } from '@sanad/contract/kinds'
import { useWords } from '../../../words/language.ts'
import { settingsWords } from '../../../words/screens/settings.ts'

export const RoleChoice = ({ value, choose }: { value: MemberRole; choose: (role: MemberRole) => void }) => {
  const { t } = useWords(settingsWords)
  return (
    <Radio.Group label={t('members.role')} value={value} onChange={(role) => choose(role as MemberRole)}>
      <Stack gap="sm" mt={8}>
        {memberRoles.map((role) => (
          <Radio key={role} value={role} label={t(`role.${role}`)} description={t(`members.role.${role}`)} />
        ))}
      </Stack>
    </Radio.Group>
  )
}

export const RolesInWords = () => {
  const { t } = useWords(settingsWords)
  return (
    <Stack component="dl" gap="sm" m={0}>
      {memberRoles.map((role) => (
        <div key={role}>
          <Text component="dt" fw={600}>
            {t(`role.${role}`)}
          </Text>
          <Text component="dd" m={0} c="dimmed">
            {t(`members.role.${role}`)}
          </Text>
        </div>
      ))}
    </Stack>
  )
}
