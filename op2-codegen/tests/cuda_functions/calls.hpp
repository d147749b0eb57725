// Values as bytes, part by part, in the order of the fields.

template <class T>
struct Wire {
    static bool get(T& x) { return fread(&x, sizeof x, 1, stdin) == 1; }
    static void put(const T& x) { fwrite(&x, sizeof x, 1, stdout); }
};
template <class T, op2::usize N>
struct Wire<op2::Arr<T, N>> {
    static bool get(op2::Arr<T, N>& x) {
        bool fine = true;
        for (op2::usize i = 0; i < N; i += 1) fine = Wire<T>::get(x.at[i]) && fine;
        return fine;
    }
    static void put(const op2::Arr<T, N>& x) {
        for (op2::usize i = 0; i < N; i += 1) Wire<T>::put(x.at[i]);
    }
};
template <>
struct Wire<op2::Tup<>> {
    static bool get(op2::Tup<>&) { return true; }
    static void put(const op2::Tup<>&) {}
};
template <class H>
struct Wire<op2::Tup<H>> {
    static bool get(op2::Tup<H>& x) { return Wire<H>::get(x.head); }
    static void put(const op2::Tup<H>& x) { Wire<H>::put(x.head); }
};
template <class H, class... T>
struct Wire<op2::Tup<H, T...>> {
    static bool get(op2::Tup<H, T...>& x) { return Wire<H>::get(x.head) && Wire<op2::Tup<T...>>::get(x.tail); }
    static void put(const op2::Tup<H, T...>& x) {
        Wire<H>::put(x.head);
        Wire<op2::Tup<T...>>::put(x.tail);
    }
};
template <>
struct Wire<op2::Unit> {
    static bool get(op2::Unit&) { return true; }
    static void put(const op2::Unit&) {}
};
// The tests' reductions have a candidate from the start.
template <class V, class P>
struct Wire<op2::ArgMin<V, P>> {
    static bool get(op2::ArgMin<V, P>& x) {
        x.some = true;
        return Wire<V>::get(x.value) && Wire<P>::get(x.payload);
    }
    static void put(const op2::ArgMin<V, P>& x) {
        Wire<V>::put(x.value);
        Wire<P>::put(x.payload);
    }
};
template <class V, class P>
struct Wire<op2::ArgMax<V, P>> {
    static bool get(op2::ArgMax<V, P>& x) {
        x.some = true;
        return Wire<V>::get(x.value) && Wire<P>::get(x.payload);
    }
    static void put(const op2::ArgMax<V, P>& x) {
        Wire<V>::put(x.value);
        Wire<P>::put(x.payload);
    }
};

// An argument of one of the forms that a wrapper passes.
template <class T>
struct Slot {
    bool there = true;
    T value;
    bool get(bool optional) {
        if (optional && !Wire<bool>::get(there)) return false;
        return !there || Wire<T>::get(value);
    }
    void put() {
        if (there) Wire<T>::put(value);
    }
    T* pointer() { return there ? &value : nullptr; }
};

template <class P, class T, op2::usize N>
op2::Arr<P*, N> entries(Slot<op2::Arr<T, N>>& slot) {
    op2::Arr<P*, N> all;
    for (op2::usize i = 0; i < N; i += 1) all.at[i] = &slot.value.at[i];
    return all;
}

template <class T>
void put(const T& x) {
    Wire<T>::put(x);
}
