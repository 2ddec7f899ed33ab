/** Reads the body that marks a notice as seen. */
import { markNoticeSeen } from '@sanad/contract/dashboard/people/notices'
import { bodyReader } from '../schema-reader.ts'

export const readSeen = bodyReader(markNoticeSeen.body)
