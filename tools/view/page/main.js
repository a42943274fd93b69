// SPDX-License-Identifier: MIT
// main.js: the page begins.

const AT_ONCE = 4_000_000; // letters, unpacked before anybody sees that they were missing

/** Until something has been painted. */
const painted = () => new Promise((done) => {
    requestAnimationFrame(() => setTimeout(done));
});

async function start() {
    const names = ['scene', 'scene-b'].filter(find);
    const scenes = await Promise.all(names.map((name) => loadScene(find(name))));
    const [scene, other = null] = scenes;
    if (!scene.acts.rows)
        throw new Error('this scenario started no adapter: there is nothing to draw');
    const late = (between) => Promise.all(scenes.map((it, i) =>
        loadLate(it, find(`${names[i]}-late`), between)));
    // Two runs are compared by their sentences, and a question stands in the scenario.
    const waits = other || asksAtOnce(scene) || scene.letters.byte.length < AT_ONCE;
    if (waits)
        await late();
    const app = new App(scene, other);
    fillHead(app);
    listen(app);
    listenToKeys(app);
    openLink(app);
    window.vidmm = { totals: scene.about.totals, app };
    performance.mark('first picture');
    if (!waits) {
        await painted();
        await late(breathe);
        app.textsCame();
        performance.mark('late texts');
    }
    document.documentElement.dataset.ready = '';
}

start().catch((error) => {
    find('failed').hidden = false;
    find('failed').textContent = `This page cannot be shown: ${error.message}`;
});
