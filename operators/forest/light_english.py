"""English words of any request, reply or date, which tell nothing of the matter."""

from state.lexicon import terms

LIGHT = frozenset(
    terms(
        """
        able actually again ago ahead all along alright also answer another any anything appreciate ask
        assist available
        awesome back believe bit book both bye call can cant check come continue cool correct could credit
        date day
        detail different done dont each easy else enough ever every everything exactly example excellent few
        file find
        fine first forget get give glad go going good got great guess happen happy hello help here hey hi hm
        hmm hold
        hope hour how i'd id idea ill im information interested issue ive just keep kind know last later least
        let lets like
        little long look lot love make many matter maybe mean mention mind minute moment month more most
        much must need
        never new nice no none nope not now number oh ah ok okay one only option order other our own perfect
        plan please
        possible prefer probably problem provide put question quick quite ready really reason report request
        reserve
        right said same say schedule see seem send set should show sir madam some something soon sorry sound
        start still
        such sure take talk tell than thank thanks thats thing think time today tomorrow tonight too try um
        understand
        understood update use visit wait want way week weekend welcome well what whats when where which
        while why wish
        wonder wonderful work would wow yeah year yep yes yesterday yet add
        monday tuesday wednesday thursday friday saturday sunday january february march april june july
        august
        september october november december morning afternoon evening night noon pm am
        two three four five six seven eight nine ten
        """
    )
)
