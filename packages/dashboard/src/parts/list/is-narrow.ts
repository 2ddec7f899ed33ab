/** Whether the page is as narrow as a phone. */
import { useMediaQuery } from '@mantine/hooks'

export const useIsNarrow = (): boolean => useMediaQuery('(max-width: 48em)', window.innerWidth <= 768) ?? false
