import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Messenger } from '../core/configuration.ts';
import { CseError, statuses } from '../core/status.ts';
import { sampleCse } from '../testing/sample-cse.ts';

/** A gateway that is registered at an infrastructure node, without sockets between them. */
function linked() {
  const line: { cut: boolean; readonly sent: unknown[]; assigns?: string } = { cut: false, sent: [] };
  const settings = { dialect: 'onem2m', requireAuth: true } as const;
  const node = sampleCse({ ...settings, base: 'cloud', cseId: 'in', cseType: 'IN-CSE' });
  const messenger: Messenger = {
    async send(url, request) {
      if (line.cut) throw new CseError('TARGET_NOT_REACHABLE', `${url} is silent.`);
      line.sent.push(request.content);
      if (line.assigns !== undefined) return { status: statuses.CREATED, content: { 'm2m:aeA': { ri: line.assigns } } };
      const answer = await node.core.request(request);
      return { ...answer, content: JSON.parse(JSON.stringify(answer.content ?? null)) };
    },
  };
  const gateway = sampleCse({ ...settings, base: 'home', cseId: 'mn', cseType: 'MN-CSE', messenger });
  const csr = (id: string, base: string, cst: number) => ({
    'm2m:csr': { rn: id, csi: `/${id}`, cb: `/${id}/${base}`, cst, rr: true, poa: ['http://x'] },
  });
  gateway.core.perform({ operation: 'create', to: 'home', content: csr('in', 'cloud', 1) });
  node.core.perform({ operation: 'create', to: 'cloud', content: csr('mn', 'home', 2) });
  const register = (originator: string) =>
    gateway.send(
      'POST',
      '/home',
      { 'm2m:ae': { rn: 'app', api: 'Napp', rr: true, srv: ['3'] } },
      { 'x-m2m-origin': originator },
    );
  const announced = async (aei: unknown) => (await node.send('GET', `/${String(aei)}`)).attributes;
  return { gateway, line, register, announced };
}

test('an AE that requests a service-provider identifier is announced at the infrastructure node', async () => {
  const { register, announced } = linked();
  const { attributes } = await register('S');
  assert.match(String(attributes.aei), /^S./);
  assert.equal(attributes.ri, attributes.aei);
  const { aei, lnk, api, lbl } = await announced(attributes.aei);
  assert.deepEqual([aei, lnk, api], [attributes.aei, `/mn/${String(attributes.ri)}`, 'Napp']);
  assert.deepEqual(lbl, ['Credential-ID:']);
});

test('the infrastructure node chooses the identifier, and until then S stands for it in the link', async () => {
  const { line, register } = linked();
  line.assigns = 'Schosen';
  const { attributes } = await register('S');
  assert.deepEqual([attributes.aei, attributes.ri], ['Schosen', 'Schosen']);
  assert.deepEqual(line.sent, [{ 'm2m:aeA': { lnk: '/mn/S', api: 'Napp', lbl: ['Credential-ID:'] } }]);
});

test('an infrastructure node that assigns no identifier leaves the AE unregistered', async () => {
  const { gateway, line, register } = linked();
  line.assigns = 'aeA42';
  assert.equal((await register('S')).headers['X-M2M-RSC'], '4127');
  assert.equal((await gateway.send('GET', '/home/app')).status, 404);
});

test('its link is inactive while it is registered nowhere, and is set again when it comes back', async () => {
  const { gateway, register, announced } = linked();
  const { aei } = (await register('S')).attributes;
  await gateway.send('DELETE', '/home/app', undefined, { 'x-m2m-origin': String(aei) });
  assert.equal((await announced(aei)).lnk, 'INACTIVE');
  assert.equal((await register(String(aei))).attributes.aei, aei);
  assert.equal((await announced(aei)).lnk, `/mn/${String(aei)}`);
});

test('an identifier that the infrastructure node does not know yet is announced there', async () => {
  const { register, announced } = linked();
  assert.equal((await register('Smine')).attributes.aei, 'Smine');
  assert.equal((await announced('Smine')).lnk, '/mn/Smine');
});

test('without an answer of the infrastructure node nothing is registered', async () => {
  const { gateway, line, register } = linked();
  line.cut = true;
  assert.equal((await register('S')).headers['X-M2M-RSC'], '5103');
  assert.equal((await gateway.send('GET', '/home/app')).status, 404);
  assert.match(String((await register('C')).attributes.aei), /^C./);
});
