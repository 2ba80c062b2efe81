import { defineGate, met, notApplicable, stopped } from 'nudgelab/gate';
import { z } from 'zod';

/** Passes for the domains in `with` and for everything below them, such as mail.agency.example. */
export default defineGate({
  id: 'F1',
  summary: 'The address belongs to an agency.',
  source: ['our policy 4.2'],
  appliesTo: 'both',
  reads: ['user.facts.domain'],
  reasons: { 'not-an-agency': 'Only users with an address of an agency are prompted; this one is at {saw.domain}.' },
  samples: { 'user.facts.domain': ['agency.example', 'mail.agency.example', 'other.example', null] },
  schema: z.strictObject({ domains: z.array(z.string().min(1)).min(1) }),
  judge: ({ user }, { domains }) => {
    const { domain } = user.facts;
    if (domain === null) return notApplicable({ domain });
    const isAgency = domains.some((one) => domain === one || domain.endsWith(`.${one}`));
    return isAgency ? met({ domain }) : stopped('not-an-agency', { domain });
  },
});
